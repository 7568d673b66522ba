/* Blends the transformations of shapes. Most of the linearised transformations are 0, and loads from memory
 * limit the speed. A block of six numbers is therefore padded to eight lanes, so that it never crosses a
 * cache line. Four blocks at a time are added to four separate sums, so that no addition waits for the
 * previous one. */
#include "datasets/model/shape_transforms.h"

/* Extracts the vectors r and t from N = M - I for a transformation M. The linear part of N should be the
 * cross-product matrix [r]x; *off is the largest deviation from it. Returns how many of the six numbers are
 * not 0. */
static int linear_parts(const Transform *transform, float values[SPARSE_LANES], double *off)
{
    const Transform *m = transform;
    const double parts[6] = {
        0.5 * (m->m21 - m->m12), 0.5 * (m->m02 - m->m20), 0.5 * (m->m10 - m->m01), m->m03, m->m13, m->m23};
    int used = 0;
    for (int i = 0; i < 6; i++) {
        values[i] = (float)parts[i];
        used += values[i] != 0.0f;
    }
    *off = fmax(
        fmax(fabs(m->m21 + m->m12), fabs(m->m02 + m->m20)),
        fmax(fabs(m->m10 + m->m01), fmax(fabs(m->m00 - 1.0), fmax(fabs(m->m11 - 1.0), fabs(m->m22 - 1.0)))));
    return used;
}

static Status sparse_make(ShapeTransforms *made)
{
    const double FORM = 1e-5; /* tolerance for the linearised form, because files contain floats */
    const Rig *rig = made->rig;
    const int shapes = rig->frame_count, joints = rig->joint_count;
    float values[SPARSE_LANES] = {0.0f};
    double off = 0.0;
    if (shapes > UINT16_MAX + 1)
        return bad_input("the rig has %d shapes, but at most %d can be blended", shapes, UINT16_MAX + 1);
    ALLOCATE(made->first, joints + 1, "the shapes' transformations");
    for (int joint = 0; joint < joints; joint++) {
        int count = 0;
        for (int shape = 0; shape < shapes; shape++) {
            count += linear_parts(&rig->transforms[(ptrdiff_t)shape * joints + joint], values, &off) > 0;
            if (off > FORM)
                return bad_input(
                    "frame %d: the transform of joint %d is not a linearised rotation and translation", shape,
                    joint);
        }
        made->block_count += count;
        made->first[joint + 1] = made->first[joint] + (count + SPARSE_STEP - 1) / SPARSE_STEP * SPARSE_STEP;
    }
    ALLOCATE(made->shapes, made->first[joints], "the shapes' transformations");
    ALLOCATE_TABLE(made->values, made->first[joints], SPARSE_LANES, "the shapes' transformations");
    for (int joint = 0; joint < joints; joint++)
        for (int shape = 0, entry = made->first[joint]; shape < shapes; shape++) {
            const int used = linear_parts(&rig->transforms[(ptrdiff_t)shape * joints + joint], values, &off);
            if (used == 0)
                continue;
            memcpy(made->values + (ptrdiff_t)SPARSE_LANES * entry, values, sizeof values);
            made->shapes[entry++] = (uint16_t)shape;
            made->entry_count += used;
            for (int i = 0; i < 6; i++)
                made->cell_count += values[i] != 0.0f ? 1 + (i < 3) : 0;
        }
    return status_ok();
}

Status shape_transforms_make(const Rig *rig, ShapeForm form, ShapeTransforms *out)
{
    CLEANUP(shape_transforms_clear) ShapeTransforms made = {.form = form, .rig = rig};
    if (form == SHAPES_SPARSE)
        STATUS_TRY(sparse_make(&made));
    if (form == SHAPES_DENSE) {
        const size_t numbers = (size_t)rig->joint_count * AFFINE_VALUES;
        ALLOCATE_TABLE(made.values, rig->frame_count, numbers, "the shapes' transformations");
        for (size_t i = 0; i < numbers * (size_t)rig->frame_count; i++)
            made.values[i] = (float)((&rig->transforms[i / AFFINE_VALUES].m00)[i % AFFINE_VALUES] -
                                     (i % AFFINE_VALUES % 5 == 0));
    }
    *out = made;
    made = (ShapeTransforms){.form = SHAPES_NONE};
    return status_ok();
}

void shape_transforms_clear(ShapeTransforms *transforms)
{
    FREE_ALL(transforms->first, transforms->shapes, transforms->values);
}

typedef float SparseBlock __attribute__((vector_size(SPARSE_LANES * sizeof(float)), may_alias));

WIDEST_VECTORS
static void sparse_sum(const ShapeTransforms *transforms, const float *shares, Transform *out)
{
    const SparseBlock *block = (const SparseBlock *)transforms->values;
    const uint16_t *shapes = transforms->shapes;
    for (int joint = 0; joint < transforms->rig->joint_count; joint++) {
        SparseBlock a = {0.0f}, b = {0.0f}, c = {0.0f}, d = {0.0f};
        for (int i = transforms->first[joint]; i < transforms->first[joint + 1]; i += SPARSE_STEP) {
            uint64_t four;
            memcpy(&four, shapes, sizeof four);
            a += shares[four & UINT16_MAX] * block[0];
            b += shares[four >> 16 & UINT16_MAX] * block[1];
            c += shares[four >> 32 & UINT16_MAX] * block[2];
            d += shares[four >> 48] * block[3];
            block += SPARSE_STEP;
            shapes += SPARSE_STEP;
        }
        a += b + (c + d);
        const double x = (double)a[0], y = (double)a[1], z = (double)a[2];
        out[joint] =
            (Transform){1.0, -z, y, (double)a[3], z, 1.0, -x, (double)a[4], -y, x, 1.0, (double)a[5]};
    }
}

/* Number of columns that are summed at once. A column is one matrix element of one joint, over all shapes. */
enum { DENSE_BLOCK = 96 };

WIDEST_VECTORS
static void block_sum(const float *dense, ptrdiff_t stride, int shape_count, const float *shares, double *out)
{
    float sums[DENSE_BLOCK] = {0.0f};
    for (int shape = 0; shape < shape_count; shape++, dense += stride)
        for (int i = 0; i < DENSE_BLOCK; i++)
            sums[i] += shares[shape] * dense[i];
    for (int i = 0; i < DENSE_BLOCK; i++)
        out[i] = (double)sums[i];
}

static void dense_sum(const ShapeTransforms *transforms, const float *shares, double *out)
{
    const int columns = AFFINE_VALUES * transforms->rig->joint_count, shapes = transforms->rig->frame_count;
    int from = 0;
    for (; from + DENSE_BLOCK <= columns; from += DENSE_BLOCK)
        block_sum(transforms->values + from, columns, shapes, shares, out + from);
    for (; from < columns; from++) {
        float sum = 0.0f;
        for (int shape = 0; shape < shapes; shape++)
            sum += shares[shape] * transforms->values[(ptrdiff_t)shape * columns + from];
        out[from] = (double)sum;
    }
    for (int i = 0; i < columns; i += AFFINE_VALUES)
        for (int axis = 0; axis < 3; axis++)
            out[i + 5 * axis] += 1.0;
}

void shape_transforms_blend(const ShapeTransforms *transforms, const float *shares, Transform *out)
{
    const Rig *rig = transforms->rig;
    if (transforms->form == SHAPES_SPARSE)
        sparse_sum(transforms, shares, out);
    else if (transforms->form == SHAPES_DENSE)
        dense_sum(transforms, shares, &out->m00);
    else
        for (int joint = 0; joint < rig->joint_count; joint++) {
            Transform sum = transform_identity();
            for (int k = 0; k < rig->frame_count; k++) {
                const double share = (double)shares[k];
                sum = transform_add_scaled(sum, rig->transforms[(ptrdiff_t)k * rig->joint_count + joint],
                                           share);
                sum = transform_add_scaled(sum, transform_identity(), -share);
            }
            out[joint] = sum;
        }
}

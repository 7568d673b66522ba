/* Solves for rotations and translations of the bones, frame by frame and bone by bone (Le and Deng
 * 2012). */
#include "methods/decomposition/coordinate-descent/rigid_bones.h"

#include "datasets/base/exact_sum.h"
#include "datasets/geometry/nearest_rotation.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { PATCH = 20 };

Status rigid_make(RigidBones *rigid, int frame_count, int bone_count, const double *basis, double unit)
{
    size_t columns = 4 * (size_t)bone_count, rows = 3 * (size_t)frame_count;
    *rigid = (RigidBones){.frame_count = frame_count, .basis = basis, .unit = unit};
    ALLOCATE_TABLE(rigid->motions, rows, columns, "the motions of rigid bones");
    ALLOCATE_TABLE(rigid->pivots, bone_count, 3, "the motions of rigid bones");
    for (size_t row = 0; row < rows; row++)
        for (size_t bone = 0; bone < (size_t)bone_count; bone++)
            rigid->motions[row * columns + 4 * bone + row % 3] = unit;
    return status_ok();
}

void rigid_clear(RigidBones *rigid)
{
    FREE_ALL(rigid->motions, rigid->pivots);
    *rigid = (RigidBones){0};
}

void rigid_derive(ReducedModel *model)
{
    const RigidBones *rigid = model->rigid;
    const int columns = 4 * model->bone_count, dimension = model->dimension, rows = 3 * rigid->frame_count;
    const MatrixView transposed = matrix_transposed(rigid->motions, columns);
    matrix_multiply_tiled(columns, dimension, rows, transposed, matrix_transposed(rigid->basis, rows),
                          dimension, model->transforms, model->threads);
    matrix_gram(columns, rows, transposed, model->gram, model->threads);
}

/* Non-zero blocks of X X^T. The blocks of bone b have indices first[b] to first[b + 1] - 1, and the
 * diagonal block comes first. The other blocks follow in ascending order of c. */
typedef struct Blocks {
    int32_t *first;  /* [P + 1] */
    int32_t *others; /* second bone c of each block */
    double
        *values; /* [blocks][4][4] sum of x_c x_b^T, with rows for the second bone c and columns for bone b */
} Blocks;

static void blocks_clear(Blocks *blocks)
{
    FREE_ALL(blocks->first, blocks->others, blocks->values);
}

/* Returns whether bones a and b share a vertex, which makes the sum of products of their weights
 * positive. */
static bool blocks_meet(const double *square, ptrdiff_t stride, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return square[(4 * high + 3) * stride + 4 * low + 3] > 0.0;
}

static Status blocks_make(const double *square, int bones, Blocks *blocks)
{
    ptrdiff_t stride = (ptrdiff_t)4 * bones;
    size_t count = 0;
    for (int a = 0; a < bones; a++)
        for (int b = 0; b < bones; b++)
            count += blocks_meet(square, stride, a, b);
    ALLOCATE(blocks->first, bones + 1, "the pairs of bones");
    ALLOCATE(blocks->others, count, "the pairs of bones");
    ALLOCATE_TABLE(blocks->values, count, 16, "the pairs of bones");
    int32_t block = 0;
    for (int b = 0; b < bones; b++) {
        blocks->first[b] = block;
        for (int k = 0; k < bones; k++) {
            int c = k == 0 ? b : (k <= b ? k - 1 : k);
            if (!blocks_meet(square, stride, c, b))
                continue;
            double *value = blocks->values + (ptrdiff_t)16 * block;
            blocks->others[block++] = c;
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) {
                    ptrdiff_t row = 4 * c + i, column = 4 * b + j;
                    value[4 * i + j] =
                        row >= column ? square[row * stride + column] : square[column * stride + row];
                }
        }
    }
    blocks->first[bones] = block;
    return status_ok();
}

/* FrameLanes holds one number for each of ROTATION_LANES frames or bones, and HalfLanes is half of these
 * numbers as a vector. If fewer frames or bones are left, the other lanes repeat the last one. */
typedef double FrameLanes[ROTATION_LANES] __attribute__((aligned(64)));
typedef double HalfLanes __attribute__((vector_size(ROTATION_LANES / 2 * sizeof(double)), may_alias));

/* Holds the motions T and the right-hand sides A X^T of the frames that are solved side by side. */
typedef struct FrameGroup {
    FrameLanes *motions, *rights; /* [3][4P] */
} FrameGroup;

/* Adds sign * T_c x_c x_b^T to products [3][4]. `map` points to T_c, and `block` [4][4] is x_c x_b^T. The
 * rows of T are `columns` numbers apart. */
INLINE void product_add(const FrameLanes *map, ptrdiff_t columns, const double *block, double sign,
                        FrameLanes products[12])
{
    for (int i = 0; i < 3; i++, map += columns)
        for (int half = 0; half < 2; half++) {
            const HalfLanes *from = (const HalfLanes *)map + half;
            const HalfLanes x = sign * from[0], y = sign * from[2], z = sign * from[4], w = sign * from[6];
            HalfLanes *to = (HalfLanes *)products[4 * i] + half;
            for (int j = 0; j < 4; j++)
                to[2 * j] += x * block[j] + y * block[4 + j] + z * block[8 + j] + w * block[12 + j];
        }
}

/* Finds the best rigid motion of one bone in each frame from s = sum w^2, k = sum w^2 v and z = sum w
 * q (v, 1)^T, where q is the residual of the other bones. The rotation is found from z - z_4 k^T / s and
 * the translation from the means. */
INLINE void motion_fit(const FrameLanes z[12], const double *block, double unit, FrameLanes *motion,
                       ptrdiff_t columns)
{
    const double *k = block + 12, inverse = 1.0 / block[15];
    FrameLanes matrix[9];
    for (int i = 0; i < 9; i++)
        for (int l = 0; l < ROTATION_LANES; l++)
            matrix[i][l] = z[i / 3 * 4 + i % 3][l] - z[i / 3 * 4 + 3][l] * (k[i % 3] * inverse);
    nearest_rotations(matrix);
    for (int i = 0; i < 3; i++, motion += columns)
        for (int l = 0; l < ROTATION_LANES; l++) {
            for (int j = 0; j < 3; j++)
                motion[j][l] = unit * matrix[3 * i + j][l];
            motion[3][l] =
                (z[4 * i + 3][l] - (motion[0][l] * k[0] + motion[1][l] * k[1] + motion[2][l] * k[2])) *
                inverse;
        }
}

/* Improves the motion of every bone once, and sets error to tr(T X X^T T^T) - 2 tr(T X A^T) of each frame.
 * As X X^T is symmetric, each pair of bones is visited once and counted twice. */
WIDEST_VECTORS
static void group_round(const Blocks *blocks, int bones, double unit, const FrameGroup *group,
                        FrameLanes error)
{
    const ptrdiff_t columns = (ptrdiff_t)4 * bones;
    for (int b = 0; b < bones; b++) {
        const int32_t diagonal = blocks->first[b], end = blocks->first[b + 1];
        FrameLanes z[12];
        if (diagonal == end)
            continue;
        for (int i = 0; i < 12; i++)
            memcpy(z[i], group->rights[i / 4 * columns + 4 * b + i % 4], sizeof z[i]);
        for (int32_t block = diagonal + 1; block < end; block++)
            product_add((const FrameLanes *)group->motions + (ptrdiff_t)4 * blocks->others[block], columns,
                        blocks->values + (ptrdiff_t)16 * block, -1.0, z);
        motion_fit((const FrameLanes *)z, blocks->values + (ptrdiff_t)16 * diagonal, unit,
                   group->motions + (ptrdiff_t)4 * b, columns);
    }
    memset(error, 0, sizeof(FrameLanes));
    for (int b = 0; b < bones; b++) {
        FrameLanes sums[12];
        for (int i = 0; i < 12; i++)
            for (int l = 0; l < ROTATION_LANES; l++)
                sums[i][l] = -2.0 * group->rights[i / 4 * columns + 4 * b + i % 4][l];
        for (int32_t block = blocks->first[b]; block < blocks->first[b + 1] && blocks->others[block] <= b;
             block++)
            product_add((const FrameLanes *)group->motions + (ptrdiff_t)4 * blocks->others[block], columns,
                        blocks->values + (ptrdiff_t)16 * block, blocks->others[block] == b ? 1.0 : 2.0, sums);
        for (int i = 0; i < 12; i++)
            for (int l = 0; l < ROTATION_LANES; l++)
                error[l] += sums[i][l] * group->motions[i / 4 * columns + 4 * b + i % 4][l];
    }
}

/* Copies the rows of the frames from `frame` on into lanes [count]. `rows` is [F][count], a row for each
 * frame. */
static void lanes_load(const double *rows, size_t count, int frame, int frame_count, FrameLanes *lanes)
{
    for (int lane = 0; lane < ROTATION_LANES; lane++) {
        const double *row = rows + (size_t)int_min(frame + lane, frame_count - 1) * count;
        for (size_t i = 0; i < count; i++)
            lanes[i][lane] = row[i];
    }
}

void rigid_share(ReducedModel *model)
{
    size_t count = (size_t)4 * (size_t)model->bone_count * 3 * (size_t)model->rigid->frame_count;
    ranks_broadcast(model->ranks, model->rigid->motions, count * sizeof(double));
    ranks_broadcast(model->ranks, model->rigid->pivots, 3 * (size_t)model->bone_count * sizeof(double));
}

Status rigid_solve(ReducedModel *model, const double *square, const double *right, double *squared_error)
{
    RigidBones *rigid = model->rigid;
    const int bones = model->bone_count, dimension = model->dimension;
    const size_t rows = 3 * (size_t)rigid->frame_count, columns = 4 * (size_t)bones, entries = 3 * columns;
    CLEANUP(blocks_clear) Blocks blocks = {0};
    LOCAL_TABLE(double, rights, rows, columns, "the motions of rigid bones");
    LOCAL_ARRAY(double, errors, rigid->frame_count, "the motions of rigid bones");
    LOCAL_TABLE(FrameLanes, work, model->threads, 2 * entries, "the motions of rigid bones");
    if (ranks_is_first(model->ranks)) {
        STATUS_TRY(blocks_make(square, bones, &blocks));
        /* A X^T = B (C X^T) as [3F][4P] */
        matrix_multiply_tiled((int)rows, (int)columns, dimension,
                              matrix_transposed(rigid->basis, (ptrdiff_t)rows),
                              matrix_transposed(right, dimension), (int)columns, rights, model->threads);
        /* solve all bones in every frame, and sum the errors that remain */
#pragma omp parallel for schedule(static) num_threads(model->threads)
        for (int frame = 0; frame < rigid->frame_count; frame += ROTATION_LANES) {
            FrameLanes *lanes = work + (size_t)omp_get_thread_num() * 2 * entries;
            const FrameGroup group = {.motions = lanes, .rights = lanes + entries};
            FrameLanes error;
            lanes_load(rigid->motions, entries, frame, rigid->frame_count, group.motions);
            lanes_load(rights, entries, frame, rigid->frame_count, group.rights);
            group_round(&blocks, bones, rigid->unit, &group, error);
            for (int lane = 0; lane < int_min(ROTATION_LANES, rigid->frame_count - frame); lane++) {
                double *motions = rigid->motions + (size_t)(frame + lane) * entries;
                for (size_t i = 0; i < entries; i++)
                    motions[i] = group.motions[i][lane];
                errors[frame + lane] = error[lane];
            }
        }
        *squared_error = 0.0;
        for (int frame = 0; frame < rigid->frame_count; frame++)
            *squared_error += errors[frame];
        for (int i = 0; i < 3 * bones; i++) {
            const double *block = blocks.values + (ptrdiff_t)16 * blocks.first[i / 3];
            if (blocks.first[i / 3] < blocks.first[i / 3 + 1])
                rigid->pivots[i] = block[4 * (i % 3) + 3] / block[15];
        }
    }
    ranks_broadcast(model->ranks, squared_error, sizeof *squared_error);
    *squared_error = fmax(*squared_error + reduced_model_sum(model, model->squared_norms), 0.0);
    rigid_share(model);
    rigid_derive(model);
    return status_ok();
}

void rigid_restore(ReducedModel *model)
{
    const RigidBones *rigid = model->rigid;
    const ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count;
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int frame = 0; frame < rigid->frame_count; frame++)
        for (int b = 0; b < model->bone_count; b += ROTATION_LANES) {
            double *motions = rigid->motions + 3 * frame * stride + (ptrdiff_t)4 * b;
            const int count = int_min(ROTATION_LANES, model->bone_count - b);
            FrameLanes rotations[9];
            for (int i = 0; i < 9 * ROTATION_LANES; i++)
                rotations[i % 9][i / 9] = motions[i % 9 / 3 * stride + 4 * int_min(i / 9, count - 1) + i % 3];
            nearest_rotations(rotations);
            for (int i = 0; i < 9 * count; i++) {
                double *row = motions + i % 9 / 3 * stride + 4 * (i / 9);
                const double turned = rigid->unit * rotations[i % 9][i / 9];
                row[3] += (row[i % 3] - turned) * rigid->pivots[3 * (b + i / 9) + i % 3];
                row[i % 3] = turned;
            }
        }
    rigid_share(model);
    rigid_derive(model);
}

void rigid_take_basis(ReducedModel *model, const double *basis, const double *before, const double *offset)
{
    RigidBones *rigid = model->rigid;
    const ptrdiff_t columns = (ptrdiff_t)4 * model->bone_count;
    rigid->basis = basis;
    for (ptrdiff_t row = 0; row < 3 * rigid->frame_count; row++)
        for (ptrdiff_t bone = 0; bone < model->bone_count; bone++)
            rigid->motions[row * columns + 4 * bone + 3] += before[row] - offset[row];
}

void rigid_copy(ReducedModel *target, const ReducedModel *from)
{
    size_t count = (size_t)4 * (size_t)from->bone_count * 3 * (size_t)from->rigid->frame_count;
    memcpy(target->rigid->motions, from->rigid->motions, count * sizeof(double));
    memcpy(target->rigid->pivots, from->rigid->pivots, 3 * (size_t)from->bone_count * sizeof(double));
}

/* Neighbouring vertices to which a bone is moved. Vertices of other ranks have index -1. */
typedef struct Patch {
    int count;
    int32_t vertices[PATCH];
    double closeness[PATCH]; /* negated squared distances from the centre; the nearest vertex has the largest
                                value */
} Patch;

static void patch_add(Patch *patch, int32_t vertex, double distance)
{
    patch->count = largest_insert(-distance, vertex, patch->count, PATCH, patch->closeness, patch->vertices);
}

/* Finds the vertices of all ranks that are nearest to a point in the rest pose. On a tie, the first vertex
 * wins. gathered [2][R][PATCH] is workspace for R ranks. */
static void patch_gather(const ReducedModel *model, const double center[3], double *gathered, Patch *patch)
{
    int rank = model->ranks ? model->ranks->rank : 0, ranks = model->ranks ? model->ranks->count : 1;
    ptrdiff_t all = (ptrdiff_t)ranks * PATCH;
    Patch local = {.count = 0};
    for (int32_t j = 0; j < model->vertex_count; j++) {
        const double *v = model->rest + (ptrdiff_t)3 * j;
        double x = v[0] - center[0], y = v[1] - center[1], z = v[2] - center[2];
        patch_add(&local, j, x * x + y * y + z * z);
    }
    memset(gathered, 0, 2 * (size_t)all * sizeof *gathered);
    for (int i = 0; i < PATCH; i++) /* a sum with error compensation cannot handle infinities */
        gathered[rank * PATCH + i] = i < local.count ? -local.closeness[i] : DBL_MAX;
    ranks_sum(model->ranks, gathered, gathered + all, all);
    patch->count = 0;
    for (int i = 0; i < all; i++)
        if (gathered[i] < DBL_MAX)
            patch_add(patch, i / PATCH == rank ? local.vertices[i % PATCH] : -1, gathered[i]);
}

void rigid_follow(ReducedModel *model, int bone, const double *block, const double *right, double *rights)
{
    RigidBones *rigid = model->rigid;
    int dimension = model->dimension, rows = 3 * rigid->frame_count;
    ptrdiff_t stride = (ptrdiff_t)4 * model->bone_count;
    matrix_multiply(4, rows, dimension, 1.0, matrix_by_rows(right, dimension),
                    matrix_by_rows(rigid->basis, rows), 0.0, rights, rows);
    for (ptrdiff_t first = 0; first < rigid->frame_count; first += ROTATION_LANES) {
        const int count = int_min(ROTATION_LANES, rigid->frame_count - (int)first);
        FrameLanes z[12], motion[12];
        for (int i = 0; i < 12 * ROTATION_LANES; i++)
            z[i % 12][i / 12] = rights[i % 4 * rows + 3 * (first + int_min(i / 12, count - 1)) + i % 12 / 4];
        motion_fit((const FrameLanes *)z, block, rigid->unit, motion, 4);
        for (int i = 0; i < 12 * count; i++)
            rigid->motions[(3 * (first + i / 12) + i % 12 / 4) * stride + 4 * bone + i % 4] =
                motion[i % 12][i / 12];
    }
    for (int axis = 0; axis < 3; axis++)
        rigid->pivots[3 * bone + axis] = block[12 + axis] / block[15];
}

/* Fits a bone to the vertices of a patch as if no other bone moved them. Workspace: sums [2][16 + 4d],
 * whose second half holds rounding errors, terms [16 + 4d] and rights [4][3F]. */
static void patch_follow(ReducedModel *model, const Patch *patch, int bone, double *sums, double *terms,
                         double *rights)
{
    int dimension = model->dimension, size = 16 + 4 * dimension;
    memset(sums, 0, 2 * (size_t)size * sizeof *sums);
    for (int i = 0; i < patch->count; i++) {
        if (patch->vertices[i] < 0)
            continue;
        const double *v = model->rest + (ptrdiff_t)3 * patch->vertices[i];
        const double *column = model->coordinates + (ptrdiff_t)patch->vertices[i] * dimension;
        const double x[4] = {v[0], v[1], v[2], 1.0};
        for (int k = 0; k < 4; k++) {
            for (int l = 0; l < 4; l++)
                terms[4 * k + l] = x[k] * x[l];
            for (int l = 0; l < dimension; l++)
                terms[16 + k * dimension + l] = x[k] * column[l];
        }
        exact_sums_add(sums, sums + size, terms, size);
    }
    ranks_sum(model->ranks, sums, sums + size, size);
    rigid_follow(model, bone, sums, sums + 16, rights);
}

Status rigid_reseed(ReducedModel *model, double min)
{
    enum {
        BLOCK = 256
    }; /* number of vertices summed together; each rank's vertices begin at a multiple of it */
    static const char what[] = "new places for bones";
    size_t rows = 3 * (size_t)model->rigid->frame_count, size = 16 + 4 * (size_t)model->dimension;
    size_t ranks = model->ranks ? (size_t)model->ranks->count : 1;
    const int bones = model->bone_count, influences = model->influence_count;
    LOCAL_TABLE(double, squares, 3, bones,
                what); /* squared weights, their rounding errors, and one block's */
    LOCAL_ARRAY(bool, taken, model->vertex_count, what);
    LOCAL_TABLE(double, sums, 3, size, what);
    LOCAL_TABLE(double, gathered, 2 * ranks, PATCH, what);
    LOCAL_TABLE(double, rights, 4, rows, what);
    double *part = squares + (ptrdiff_t)2 * bones;
    int reseeded = 0;
    for (int first = 0; first < model->vertex_count; first += BLOCK) {
        const int end = int_min(first + BLOCK, model->vertex_count);
        memset(part, 0, (size_t)bones * sizeof *part);
        for (ptrdiff_t i = (ptrdiff_t)first * influences; i < (ptrdiff_t)end * influences; i++)
            part[model->bones[i]] += model->weights[i] * model->weights[i];
        exact_sums_add(squares, squares + bones, part, bones);
    }
    ranks_sum(model->ranks, squares, squares + bones, bones);
    for (int bone = 0; bone < bones; bone++) {
        double greatest = 0.0, center[3];
        if (squares[bone] != 0.0 && !(squares[bone] < min))
            continue;
        const int worst = reduced_model_max(model, model->errors, taken, &greatest);
        if (worst < 0)
            continue;
        const int own = worst - model->first_vertex;
        for (int axis = 0; axis < 3; axis++)
            center[axis] = own >= 0 && own < model->vertex_count ? model->rest[3 * own + axis] : -INFINITY;
        ranks_max(model->ranks, center, 3);
        Patch patch;
        patch_gather(model, center, gathered, &patch);
        for (int i = 0; i < patch.count; i++)
            if (patch.vertices[i] >= 0)
                taken[patch.vertices[i]] = true;
        patch_follow(model, &patch, bone, sums, sums + 2 * size, rights);
        reseeded++;
    }
    if (reseeded > 0) {
        rigid_share(model);
        rigid_derive(model);
    }
    return status_ok();
}

/* Delta Mush for float backends. It processes LANES frames side by side, so that every operation has one lane
 * per frame, or a single frame. The arithmetic is in doubles, because the detail is often hundreds of times
 * as long as the edges of the smoothed surface by which it turns: the rounding of floats would show. */
#include "methods/skinning/delta-mush/mush_state.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/topology.h"

#include <omp.h>

enum {
    LANES = FILTER_WIDE / 3, /* number of frames side by side */
    FEW = 2                  /* a block of at most this many frames is processed frame by frame */
};

Status mush_lanes_bind(MushState *mush, double step, int iterations)
{
    const Mesh *mesh = &mush->welding.mesh;
    CLEANUP(grouping_clear) Grouping corners = {0};
    if (mush->width > 1 || !mush->laplacian.factor)
        return status_ok();
    STATUS_TRY(corners_at_vertices(mesh->triangles, (int)mesh->triangle_count, mesh->vertex_count, &corners));
    const size_t count = (size_t)corners.first[mesh->vertex_count];
    ALLOCATE(mush->corners, count, "the smoothed rest pose");
    for (size_t i = 0; i < count; i++) {
        const int32_t corner = corners.members[i], *triangle = mesh->triangles + (corner - corner % 3);
        mush->corners[i][0] = triangle[(corner + 1) % 3];
        mush->corners[i][1] = triangle[(corner + 2) % 3];
    }
    mush->first_corner = TAKE(corners.first);
    return laplacian_filter_init(&mush->laplacian, step, iterations, &mush->filter);
}

/* A block of frames, and its working memory. x holds the skinned positions of the welded vertices
 * [W][3][lanes]; of a single frame, it holds [W][4] with 0 in the last column. */
typedef struct FrameBlock {
    const SkinningBinding *binding;
    const MushState *mush;
    int frame_count;
    double *positions, *normals; /* [frame_count][N][3] */
    double *x, *work, *smoothed;
    double *rotations; /* [patch_count][9][lanes] */
} FrameBlock;

#define INLINE static inline __attribute__((always_inline))

/* Three coordinates of a vector in each frame. */
typedef struct Lanes3 {
    double of[3][LANES];
} Lanes3;

INLINE Lanes3 lanes_difference(const double *a, const double *b, const int lanes)
{
    Lanes3 out;
    for (int axis = 0; axis < 3; axis++)
        for (int lane = 0; lane < lanes; lane++)
            out.of[axis][lane] = a[axis * lanes + lane] - b[axis * lanes + lane];
    return out;
}

/* Adds a x b to *sum. */
INLINE void lanes_add_cross(Lanes3 *sum, const Lanes3 *a, const Lanes3 *b, const int lanes)
{
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        for (int lane = 0; lane < lanes; lane++)
            sum->of[axis][lane] +=
                a->of[next][lane] * b->of[last][lane] - a->of[last][lane] * b->of[next][lane];
    }
}

INLINE void lanes_normalize(Lanes3 *a, const int lanes)
{
    double scale[LANES];
    for (int lane = 0; lane < lanes; lane++) {
        const double length = sqrt(a->of[0][lane] * a->of[0][lane] + a->of[1][lane] * a->of[1][lane] +
                                   a->of[2][lane] * a->of[2][lane]);
        scale[lane] = length > 0.0 ? 1.0 / length : 0.0;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int lane = 0; lane < lanes; lane++)
            a->of[axis][lane] *= scale[lane];
}

/* Computes the tangent frame of a vertex of the smoothed surface, as tangent_frames does. */
INLINE void lanes_frame(const FrameBlock *block, size_t w, const int lanes, const int columns,
                        Lanes3 frame[3])
{
    const MushState *mush = block->mush;
    const double *place = block->smoothed + w * (size_t)columns;
    Lanes3 along =
        lanes_difference(block->smoothed + (size_t)mush->neighbours[w] * (size_t)columns, place, lanes);
    memset(frame, 0, 3 * sizeof *frame);
    for (int64_t i = mush->first_corner[w]; i < mush->first_corner[w + 1]; i++) {
        const Lanes3 a =
            lanes_difference(block->smoothed + (size_t)mush->corners[i][0] * (size_t)columns, place, lanes);
        const Lanes3 b =
            lanes_difference(block->smoothed + (size_t)mush->corners[i][1] * (size_t)columns, place, lanes);
        lanes_add_cross(&frame[0], &a, &b, lanes);
    }
    lanes_normalize(&frame[0], lanes);
    for (int lane = 0; lane < lanes; lane++) {
        const double dot = along.of[0][lane] * frame[0].of[0][lane] +
                           along.of[1][lane] * frame[0].of[1][lane] +
                           along.of[2][lane] * frame[0].of[2][lane];
        for (int axis = 0; axis < 3; axis++)
            along.of[axis][lane] -= dot * frame[0].of[axis][lane];
    }
    lanes_normalize(&along, lanes);
    frame[1] = along;
    lanes_add_cross(&frame[2], &frame[0], &frame[1], lanes);
}

/* Returns the rotated vector `at_rest` of a vertex, by its patch or by its frame. */
INLINE Lanes3 lanes_turned(const FrameBlock *block, size_t w, Vec3 at_rest, const int lanes,
                           const Lanes3 frame[3])
{
    const MushState *mush = block->mush;
    const double *rest = mush->frames + 9 * w;
    const int patch = mush->patches[w];
    const double vector[3] = {at_rest.x, at_rest.y, at_rest.z};
    Lanes3 out;
    if (patch >= 0) {
        const double *rotation = block->rotations + (size_t)patch * 9 * (size_t)lanes;
        for (int axis = 0; axis < 3; axis++)
            for (int lane = 0; lane < lanes; lane++)
                out.of[axis][lane] = rotation[(3 * axis) * lanes + lane] * vector[0] +
                                     rotation[(3 * axis + 1) * lanes + lane] * vector[1] +
                                     rotation[(3 * axis + 2) * lanes + lane] * vector[2];
        return out;
    }
    double own[3]; /* the vector in the frame at rest */
    for (int row = 0; row < 3; row++)
        own[row] = rest[3 * row] * vector[0] + rest[3 * row + 1] * vector[1] + rest[3 * row + 2] * vector[2];
    for (int axis = 0; axis < 3; axis++)
        for (int lane = 0; lane < lanes; lane++)
            out.of[axis][lane] = frame[0].of[axis][lane] * own[0] + frame[1].of[axis][lane] * own[1] +
                                 frame[2].of[axis][lane] * own[2];
    return out;
}

/* Finds the rotations of all patches. */
INLINE void lanes_patches(const FrameBlock *block, const int lanes, const int columns)
{
    const MushState *mush = block->mush;
    int64_t i = 0;
    for (int patch = 0; patch < mush->patch_count; patch++) {
        double moved[9][LANES] = {{0.0}};
        double *rotation = block->rotations + (size_t)patch * 9 * (size_t)lanes;
        for (; i < mush->patch_ends[patch]; i++) {
            const PatchTerm *term = &mush->terms[i];
            const double *x = block->x + (size_t)mush->welding.welded_of[term->vertex] * (size_t)columns;
            for (int k = 0; k < 9; k++)
                for (int lane = 0; lane < lanes; lane++)
                    moved[k][lane] += x[k / 3 * lanes + lane] * term->share[k % 3];
        }
        for (int lane = 0; lane < lanes; lane++) {
            double matrix[3][3];
            for (int k = 0; k < 9; k++)
                matrix[k / 3][k % 3] = moved[k][lane];
            nearest_rotation((const double(*)[3])matrix, matrix);
            for (int k = 0; k < 9; k++)
                rotation[k * lanes + lane] = matrix[k / 3][k % 3];
        }
    }
}

/* Processes a block of at most `lanes` frames. Lanes without a frame repeat the last one. */
INLINE void lanes_block(const FrameBlock *block, const int lanes)
{
    const MushState *mush = block->mush;
    const Mesh *mesh = &mush->welding.mesh;
    const int columns = lanes == 1 ? FILTER_NARROW : FILTER_WIDE;
    const size_t reals = 3 * (size_t)mush->welding.vertex_count;
    size_t starts[LANES];
    for (int lane = 0; lane < lanes; lane++)
        starts[lane] = (size_t)int_min(lane, block->frame_count - 1) * reals;
    for (size_t w = 0; w < (size_t)mesh->vertex_count; w++)
        for (int axis = 0; axis < 3; axis++)
            for (int lane = 0; lane < lanes; lane++)
                block->x[w * (size_t)columns + (size_t)(axis * lanes + lane)] =
                    block->positions[starts[lane] + 3 * (size_t)mush->welding.vertex_of[w] + (size_t)axis];
    laplacian_filter_smooth(&mush->filter, columns, block->x, block->work, block->smoothed);
    lanes_patches(block, lanes, columns);
    for (size_t v = 0; v < (size_t)mush->welding.vertex_count; v++) {
        const size_t w = (size_t)mush->welding.welded_of[v];
        const double *place = block->smoothed + w * (size_t)columns;
        const double effect = block->binding->painted ? (double)block->binding->painted[v] : 1.0;
        Lanes3 frame[3];
        if (mush->patches[w] < 0 && mush->neighbours[w] >= 0)
            lanes_frame(block, w, lanes, columns, frame);
        else
            memset(frame, 0, sizeof frame);
        const Lanes3 detail = lanes_turned(
            block, w, vec3_sub(point_at(mesh->rest, (ptrdiff_t)w), vector_at(mush->places, w)), lanes, frame);
        for (int lane = 0; lane < block->frame_count; lane++)
            for (int axis = 0; axis < 3; axis++) {
                double *out = &block->positions[starts[lane] + 3 * v + (size_t)axis];
                *out = *out * (1.0 - effect) + (place[axis * lanes + lane] + detail.of[axis][lane]) * effect;
            }
        if (!block->normals)
            continue;
        const Lanes3 normal = lanes_turned(block, w, vector_at(mush->normals, v), lanes, frame);
        for (int lane = 0; lane < block->frame_count; lane++) {
            double *out = &block->normals[starts[lane] + 3 * v];
            Vec3 turned = vec3_make(normal.of[0][lane], normal.of[1][lane], normal.of[2][lane]);
            if (block->binding->painted)
                turned = vec3_normalize(vec3_add_scaled(
                    vec3_scale(vec3_normalize(vector_at(out, 0)), 1.0 - effect), turned, effect));
            vector_store(turned, out);
        }
    }
}

WIDEST_VECTORS
static void block_of_many(const FrameBlock *block)
{
    lanes_block(block, LANES);
}

WIDEST_VECTORS
static void block_of_one(const FrameBlock *block)
{
    lanes_block(block, 1);
}

Status mush_lanes(const SkinningBinding *binding, MushState *mush, int frame_count, double *positions,
                  double *normals)
{
    const size_t vertices = (size_t)mush->welding.mesh.vertex_count;
    const size_t frame_reals = 3 * (size_t)mush->welding.vertex_count;
    const int width = frame_count <= FEW ? 1 : LANES, blocks = (frame_count + width - 1) / width;
    const int threads = int_min(binding->threads, blocks);
    const size_t array = vertices * (size_t)(width == 1 ? FILTER_NARROW : FILTER_WIDE);
    /* a multiple of the widest vector, so that the memory of each thread is aligned */
    const size_t size = (3 * array + 9 * (size_t)(mush->patch_count * width) + LANES - 1) / LANES * LANES;
    if ((size_t)threads * size > mush->lanes_size) {
        mush->lanes_size = 0;
        memory_release(&mush->lanes);
        ALLOCATE_TABLE(mush->lanes, threads, size, "the smoothed frames");
        mush->lanes_size = (size_t)threads * size;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < blocks; i++) {
        double *memory = mush->lanes + (size_t)omp_get_thread_num() * size;
        const size_t start = (size_t)(i * width) * frame_reals;
        const FrameBlock block = {.binding = binding,
                                  .mush = mush,
                                  .frame_count = int_min(width, frame_count - i * width),
                                  .positions = positions + start,
                                  .normals = normals ? normals + start : NULL,
                                  .x = memory,
                                  .work = memory + array,
                                  .smoothed = memory + 2 * array,
                                  .rotations = memory + 3 * array};
        (width == 1 ? block_of_one : block_of_many)(&block);
    }
    return status_ok();
}

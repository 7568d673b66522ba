/* The last part of the source that OpenCL and CUDA compile, after a method's kernel with its function
 * KERNEL_VERTEX. It defines the entry point skin_tiles for a single variant, because compilers generate
 * code for every entry point. Vertices whose joint set uses another variant are skipped.
 *
 * A work item skins one tile (DEVICE_LANES vertices of one joint set) in DEVICE_FRAMES frames. On a
 * processor, a tile has as many vertices as a vector has lanes, and a Real is such a vector (dialect.h). On
 * a GPU, a tile is one vertex, whose rest pose, weights and values are read once and kept for all frames.
 *
 * Vertices are in bound order, padded to whole tiles. There are N vertices, P joints, S joint sets, T tiles
 * and L = T DEVICE_LANES lanes. If vertices of several sets share a tile (KERNEL_SETS_MIX), the union of
 * these sets counts as one set here. The host writes these definitions before this text (device_program):
 *   DEVICE_LANES, DEVICE_FRAMES       vertices and frames per work item
 *   DEVICE_VARIANT                    the variant
 *   DEVICE_NORMALS                    1 if normals are skinned, otherwise 0
 *   DEVICE_PER_JOINT                  values per joint, padded to whole rows of 4
 *   DEVICE_PER_SET                    values per joint set
 *   DEVICE_PER_VERTEX                 values per vertex
 *   DEVICE_PER_INFLUENCE              values per influence
 *   DEVICE_MANY                       1 if some joint set may have more than 4 influences, otherwise 0
 *   KERNEL_WIDE_ROWS                  defined if one instruction loads a row of 4 values */
#ifndef SKINBENCH_KERNEL_DEVICE_KERNEL_H
#define SKINBENCH_KERNEL_DEVICE_KERNEL_H

#include "methods/kernel/iterate.kernel.h"

#if defined(DEVICE_LANES)

/* Skins one vertex. In two-phase skinning (DQS 4.2) the kernel named by KERNEL_FIRST_VERTEX, whose palette
 * is C'_j, first scales the rest pose. */
KERNEL_FUNCTION SkinnedPoint device_vertex(KernelView view, KERNEL_GLOBAL const float *first_values,
                                           int variant, int count, SkinnedPoint rest)
{
#if defined(KERNEL_FIRST_VERTEX)
    KernelView first = view;
    first.joint_values = first_values;
    first.values_per_joint = 12;
    rest = KERNEL_FIRST_VERTEX(first, count, 0, rest);
#endif
    return KERNEL_VERTEX(view, count, variant, rest);
}

/* Arguments of the entry point, in the order of DeviceBuffer and DeviceSize. `flags` is a sum of
 * DeviceFlags. A launch skins frame_count frames of the palettes, starting at first_frame, and stores the
 * first result at index first_result. In file order, `out` holds points [frame][N][3]. Otherwise it holds
 * Reals: [frame][T][3 or 6] if a Real is a vector, [frame][3 or 6][L] if not. */
#define DEVICE_PARAMETERS                                                                                    \
    KERNEL_GLOBAL const Real *KERNEL_RESTRICT rest,        /* [3][T], or [6][T] with normals */              \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT weights, /* [max_influences][T] */                         \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT                                                            \
            vertex_values, /* [DEVICE_PER_VERTEX, then values of influences][T] */                           \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT parameters,                                               \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT set_of_tile, /* [T] */                                      \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT                                                             \
            set_slots, /* [S][2] first joint and number of influences of each set */                         \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT joints,                                                     \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT                                                             \
            vertices, /* [L] index of each vertex in the file; -1: padding */                                \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT joint_values,         /* [frame][P][DEVICE_PER_JOINT] */  \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT set_values,           /* [frame][S][DEVICE_PER_SET] */    \
        KERNEL_GLOBAL const unsigned char *KERNEL_RESTRICT set_variants, /* [frame][S] */                    \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT                                                           \
            first_values, /* [frame][P][12]; unused without a first phase */                                 \
        KERNEL_GLOBAL float *KERNEL_RESTRICT out,                                                            \
        KERNEL_GLOBAL float *KERNEL_RESTRICT out_normals, /* used in file order only: [frame][N][3] */       \
        int vertex_count, int tile_count, int set_count, int joint_count, int first_frame, int first_result, \
        int frame_count, int flags

#define DEVICE_PASS                                                                                          \
    rest, weights, vertex_values, parameters, set_of_tile, set_slots, joints, vertices, joint_values,        \
        set_values, set_variants, first_values, out, out_normals, vertex_count, tile_count, set_count,       \
        joint_count, first_frame, first_result, frame_count, flags

enum DeviceFlags {
    DEVICE_FILE_ORDER = 1, /* results are in file order; otherwise in the order of lanes */
    DEVICE_FILE_NORMALS = 2,
    DEVICE_MIXED = 4 /* set if some joint sets use another variant */
};

KERNEL_FUNCTION SkinnedPoint device_rest(KERNEL_GLOBAL const Real *own, size_t stride, int normals)
{
    SkinnedPoint point;
    point.position = vec3_make(own[0], own[stride], own[2 * stride]);
    point.normal = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    if (normals)
        point.normal = vec3_make(own[3 * stride], own[4 * stride], own[5 * stride]);
    return point;
}

KERNEL_FUNCTION void device_put_point(KERNEL_GLOBAL float *out, int vertex, float x, float y, float z)
{
    out[3 * (size_t)vertex] = x;
    out[3 * (size_t)vertex + 1] = y;
    out[3 * (size_t)vertex + 2] = z;
}

#if DEVICE_LANES > 1

/* Stores four points after transposing them in registers. */
KERNEL_FUNCTION void device_put_4(KERNEL_GLOBAL float *out, KERNEL_GLOBAL const int *own, float4 x, float4 y,
                                  float4 z)
{
    const float4 low = (float4)(x.s0, y.s0, x.s1, y.s1), high = (float4)(x.s2, y.s2, x.s3, y.s3);
    vstore2(low.lo, 0, out + 3 * (size_t)own[0]);
    out[3 * (size_t)own[0] + 2] = z.s0;
    vstore2(low.hi, 0, out + 3 * (size_t)own[1]);
    out[3 * (size_t)own[1] + 2] = z.s1;
    vstore2(high.lo, 0, out + 3 * (size_t)own[2]);
    out[3 * (size_t)own[2] + 2] = z.s2;
    vstore2(high.hi, 0, out + 3 * (size_t)own[3]);
    out[3 * (size_t)own[3] + 2] = z.s3;
}
KERNEL_FUNCTION void device_put_8(KERNEL_GLOBAL float *out, KERNEL_GLOBAL const int *own, float8 x, float8 y,
                                  float8 z)
{
    device_put_4(out, own, x.lo, y.lo, z.lo);
    device_put_4(out, own + 4, x.hi, y.hi, z.hi);
}
KERNEL_FUNCTION void device_put_16(KERNEL_GLOBAL float *out, KERNEL_GLOBAL const int *own, float16 x,
                                   float16 y, float16 z)
{
    device_put_8(out, own, x.lo, y.lo, z.lo);
    device_put_8(out, own + 8, x.hi, y.hi, z.hi);
}
#define DEVICE_PUT_ALL REAL_VECTOR(device_put_, DEVICE_LANES)

/* Stores the points of a tile. `own` holds the tile's vertex indices, which are -1 in padding lanes at the
 * end. */
KERNEL_FUNCTION void device_put_rows(KERNEL_GLOBAL float *out, KERNEL_GLOBAL const int *own, Vec3 points)
{
    if (own[DEVICE_LANES - 1] >= 0) {
        DEVICE_PUT_ALL(out, own, points.x, points.y, points.z);
        return;
    }
    const float *lanes = (const float *)&points;
#pragma unroll 1
    for (int lane = 0; own[lane] >= 0; lane++)
        device_put_point(out, own[lane], lanes[lane], lanes[DEVICE_LANES + lane],
                         lanes[2 * DEVICE_LANES + lane]);
}

#else

KERNEL_FUNCTION void device_put_rows(KERNEL_GLOBAL float *out, KERNEL_GLOBAL const int *own, Vec3 points)
{
    device_put_point(out, own[0], points.x, points.y, points.z);
}

#endif

/* Stores the results of a tile in one frame of `out`. */
KERNEL_FUNCTION void device_store(DEVICE_PARAMETERS, size_t frame, size_t tile, int normals,
                                  SkinnedPoint skinned)
{
    const size_t components = normals ? 6 : 3;
    if (!(flags & DEVICE_FILE_ORDER)) {
        const size_t step = DEVICE_LANES > 1 ? 1 : (size_t)tile_count;
        KERNEL_GLOBAL Real *own = (KERNEL_GLOBAL Real *)out + frame * components * tile_count +
                                  (DEVICE_LANES > 1 ? tile * components : tile);
        own[0] = skinned.position.x;
        own[step] = skinned.position.y;
        own[2 * step] = skinned.position.z;
        if (normals) {
            own[3 * step] = skinned.normal.x;
            own[4 * step] = skinned.normal.y;
            own[5 * step] = skinned.normal.z;
        }
        return;
    }
    const size_t frame_first = 3 * frame * (size_t)vertex_count;
    device_put_rows(out + frame_first, vertices + tile * DEVICE_LANES, skinned.position);
    if (normals && (flags & DEVICE_FILE_NORMALS))
        device_put_rows(out_normals + frame_first, vertices + tile * DEVICE_LANES, skinned.normal);
}

/* Skins a tile in the frames `first` to `end` - 1 of the launch. The number of influences, `count`, is a
 * constant unless it exceeds 8. */
KERNEL_FUNCTION void device_tile(DEVICE_PARAMETERS, int tile, int first, int end, int set, int count,
                                 int held, int variant, int normals)
{
    const size_t stride = (size_t)tile_count;
    KernelView view;
    view.joints = joints + set_slots[2 * set];
    view.parameters = parameters;
    view.values_per_joint = DEVICE_PER_JOINT;
    view.stride = (int)stride;
    const SkinnedPoint point = device_rest(rest + tile, stride, normals);
    view.weights = weights + tile;
    view.vertex_values = vertex_values + tile;
#if defined(__CUDACC__)
    Real own_weights[8], own_values[DEVICE_PER_VERTEX + 8 * DEVICE_PER_INFLUENCE + 1];
    int own_joints[8];
    if (held) {
#pragma unroll
        for (int k = 0; k < count; k++) {
            own_weights[k] = view.weights[k * stride];
            own_joints[k] = view.joints[k];
        }
#pragma unroll
        for (int i = 0; i < DEVICE_PER_VERTEX + count * DEVICE_PER_INFLUENCE; i++)
            own_values[i] = view.vertex_values[i * stride];
        view.joints = own_joints;
        view.weights = own_weights;
        view.vertex_values = own_values;
        view.stride = 1;
    }
#endif
#pragma unroll 1
    for (int i = first; i < end; i++) {
        const size_t frame = (size_t)(first_frame + i), result = (size_t)(first_result + i);
        if ((flags & DEVICE_MIXED) && set_variants[frame * set_count + set] != variant)
            continue;
        KERNEL_GLOBAL const float *own_first = first_values + frame * joint_count * 12;
        view.joint_values = joint_values + frame * joint_count * DEVICE_PER_JOINT;
        view.set_values = set_values + (frame * set_count + set) * DEVICE_PER_SET;
        device_store(DEVICE_PASS, result, tile, normals,
                     device_vertex(view, own_first, variant, count, point));
    }
}

/* Code for a fixed number of influences, in which the loop over influences is fully unrolled. (A loop over
 * vectors is nearly as fast and compiles faster.) Each number has its own function, because compilers merge
 * calls that differ only in a constant. */
#define DEVICE_TILE_OF(n)                                                                                    \
    KERNEL_FUNCTION void device_tile_##n(DEVICE_PARAMETERS, int tile, int first, int end, int set,           \
                                         int variant, int normals)                                           \
    {                                                                                                        \
        device_tile(DEVICE_PASS, tile, first, end, set, n, 1, variant, normals);                             \
    }
DEVICE_TILE_OF(1)
DEVICE_TILE_OF(2)
DEVICE_TILE_OF(3)
DEVICE_TILE_OF(4)
#if DEVICE_MANY && DEVICE_LANES == 1
DEVICE_TILE_OF(8)
#endif
#define DEVICE_CASE(n)                                                                                       \
    case n:                                                                                                  \
        device_tile_##n(DEVICE_PASS, tile, first, end, set, variant, normals);                               \
        break;

/* Skins the tile and frames of one work item. */
KERNEL_FUNCTION void device_item(DEVICE_PARAMETERS, int variant, int normals)
{
    const int tile = KERNEL_ITEM_X, first = KERNEL_ITEM_Y * DEVICE_FRAMES;
    if (tile >= tile_count)
        return;
    const int end = first + DEVICE_FRAMES < frame_count ? first + DEVICE_FRAMES : frame_count;
    const int set = set_of_tile[tile], count = set_slots[2 * set + 1];
#if defined(KERNEL_ITERATES)
    device_tile(DEVICE_PASS, tile, first, end, set, count, 0, variant, normals);
#else
    switch (count) {
        DEVICE_CASE(1)
        DEVICE_CASE(2)
        DEVICE_CASE(3)
        DEVICE_CASE(4)
#if DEVICE_MANY && DEVICE_LANES == 1
        DEVICE_CASE(8)
#endif
#if DEVICE_MANY
    default:
        device_tile(DEVICE_PASS, tile, first, end, set, count, 0, variant, normals);
#endif
    }
#endif
}

KERNEL_ENTRY skin_tiles(DEVICE_PARAMETERS)
{
    device_item(DEVICE_PASS, DEVICE_VARIANT, DEVICE_NORMALS);
}

#endif

#endif

/* The last part of the source that OpenCL and CUDA compile, after a method's kernel with its function
 * KERNEL_VERTEX. It defines the entry point skin_tiles for a single variant, because compilers generate
 * code for every entry point.
 *
 * A work item skins one tile, DEVICE_REALS Reals (DeviceReals) of one joint set, in DEVICE_FRAMES frames. On
 * a processor, a tile is one Real, and a Real is a vector of DEVICE_LANES floats (dialect.h). On a GPU, a
 * Real is one vertex. The vertices of a tile share the loads of palette rows, and their rest pose, weights
 * and values are read once for all frames.
 *
 * Vertices are in bound order, padded to whole tiles. There are N vertices, P joints, S joint sets, T tiles
 * and L = T DEVICE_REALS DEVICE_LANES lanes. If vertices of several sets share a tile (KERNEL_SETS_MIX), the
 * union of these sets counts as one set here. The host writes these definitions before this text
 * (device_program):
 *   DEVICE_LANES                      floats per Real
 *   DEVICE_REALS, DEVICE_FRAMES       Reals and frames per work item
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
 * tiles: [frame][T][3 or 6] if a Real is a vector, [frame][3 or 6][T] if not. */
#define DEVICE_PARAMETERS                                                                                    \
    KERNEL_GLOBAL const DeviceReals *KERNEL_RESTRICT rest,        /* [3][T], or [6][T] with normals */       \
        KERNEL_GLOBAL const DeviceReals *KERNEL_RESTRICT weights, /* [max_influences][T] */                  \
        KERNEL_GLOBAL const DeviceReals *KERNEL_RESTRICT                                                     \
            vertex_values, /* [DEVICE_PER_VERTEX, then values of influences][T] */                           \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT parameters,                                               \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT set_of_tile, /* [T] */                                      \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT                                                             \
            tile_slots, /* [T][2] index of each tile's first joint in `joints`, number of influences */      \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT joints,                                                     \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT                                                             \
            vertices, /* [L] index of each vertex in the file; -1: padding */                                \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT joint_values, /* [frame][P][DEVICE_PER_JOINT] */          \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT set_values,   /* [frame][S][DEVICE_PER_SET] */            \
        KERNEL_GLOBAL const float *KERNEL_RESTRICT                                                           \
            first_values, /* [frame][P][12]; unused without a first phase */                                 \
        KERNEL_GLOBAL float *KERNEL_RESTRICT out,                                                            \
        KERNEL_GLOBAL float *KERNEL_RESTRICT out_normals, /* used in file order only: [frame][N][3] */       \
        int vertex_count, int tile_count, int set_count, int joint_count, int first_frame, int first_result, \
        int frame_count, int flags

#define DEVICE_PASS                                                                                          \
    rest, weights, vertex_values, parameters, set_of_tile, tile_slots, joints, vertices, joint_values,       \
        set_values, first_values, out, out_normals, vertex_count, tile_count, set_count, joint_count,        \
        first_frame, first_result, frame_count, flags

enum DeviceFlags {
    DEVICE_FILE_ORDER = 1, /* results are in file order; otherwise in the order of lanes */
    DEVICE_FILE_NORMALS = 2
};

KERNEL_FUNCTION SkinnedPoint device_rest(KERNEL_GLOBAL const DeviceReals *own, size_t stride, int normals,
                                         int at)
{
    SkinnedPoint point;
    point.position = vec3_make(own[0].at[at], own[stride].at[at], own[2 * stride].at[at]);
    point.normal = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    if (normals)
        point.normal = vec3_make(own[3 * stride].at[at], own[4 * stride].at[at], own[5 * stride].at[at]);
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
    if (own[0] >= 0)
        device_put_point(out, own[0], points.x, points.y, points.z);
}

#endif

KERNEL_FUNCTION DeviceReals device_component(const SkinnedPoint *skinned, int component)
{
    DeviceReals row;
#pragma unroll
    for (int i = 0; i < DEVICE_REALS; i++) {
        const Vec3 part = component < 3 ? skinned[i].position : skinned[i].normal;
        row.at[i] = component % 3 == 0 ? part.x : component % 3 == 1 ? part.y : part.z;
    }
    return row;
}

/* Stores Reals of a result. The kernel does not read them again, so they may leave the cache first. */
KERNEL_FUNCTION void device_put_reals(KERNEL_GLOBAL DeviceReals *out, DeviceReals row)
{
#if defined(__CUDACC__) && DEVICE_REALS == 4
    __stcs((float4 *)out, make_float4(row.at[0], row.at[1], row.at[2], row.at[3]));
#else
    *out = row;
#endif
}

/* Stores the results of a tile in one frame of `out`. */
KERNEL_FUNCTION void device_store(DEVICE_PARAMETERS, size_t frame, size_t tile, int normals, int at,
                                  int reals, const SkinnedPoint *skinned)
{
    const int components = normals ? 6 : 3;
    if (!(flags & DEVICE_FILE_ORDER)) {
        const size_t step = DEVICE_LANES > 1 ? 1 : (size_t)tile_count;
        KERNEL_GLOBAL DeviceReals *own = (KERNEL_GLOBAL DeviceReals *)out + frame * components * tile_count +
                                         (DEVICE_LANES > 1 ? tile * components : tile);
#pragma unroll
        for (int i = 0; i < components; i++)
            device_put_reals(&own[i * step], device_component(skinned, i));
        return;
    }
    const size_t frame_first = 3 * frame * (size_t)vertex_count;
    KERNEL_GLOBAL const int *own = vertices + (tile * DEVICE_REALS + at) * DEVICE_LANES;
#pragma unroll
    for (int i = 0; i < reals; i++) {
        device_put_rows(out + frame_first, own + i * DEVICE_LANES, skinned[i].position);
        if (normals && (flags & DEVICE_FILE_NORMALS))
            device_put_rows(out_normals + frame_first, own + i * DEVICE_LANES, skinned[i].normal);
    }
}

/* Skins a tile in the frames `first` to `end` - 1 of the launch. The number of influences, `count`, is a
 * constant unless it exceeds 8. */
KERNEL_FUNCTION void device_tile(DEVICE_PARAMETERS, int tile, int at, int reals, int first, int end,
                                 int count, int variant, int normals)
{
    const size_t stride = (size_t)tile_count;
    const int set = DEVICE_PER_SET > 0 ? set_of_tile[tile] : 0;
    KernelView view;
    view.joints = joints + tile_slots[2 * tile];
    view.parameters = parameters;
    view.values_per_joint = DEVICE_PER_JOINT;
    view.stride = (int)stride;
    view.weights = weights + tile;
    view.vertex_values = vertex_values + tile;
#pragma unroll 1
    for (int frame_in = first; frame_in < end; frame_in++) {
        const size_t frame = (size_t)(first_frame + frame_in), result = (size_t)(first_result + frame_in);
        SkinnedPoint skinned[DEVICE_REALS];
        KERNEL_GLOBAL const float *own_first = first_values + frame * joint_count * 12;
        view.joint_values = joint_values + frame * joint_count * DEVICE_PER_JOINT;
        view.set_values = set_values + (frame * set_count + set) * DEVICE_PER_SET;
#pragma unroll
        for (int i = 0; i < reals; i++) {
            view.at = at + i;
            skinned[i] = device_vertex(view, own_first, variant, count,
                                       device_rest(rest + tile, stride, normals, at + i));
        }
        device_store(DEVICE_PASS, result, tile, normals, at, reals, skinned);
    }
}

/* Code for a fixed number of influences, in which the loop over influences is fully unrolled. (A loop over
 * vectors is nearly as fast and compiles faster.) Each number has its own function, because compilers merge
 * calls that differ only in a constant. */
#define DEVICE_TILE_OF(n)                                                                                    \
    KERNEL_FUNCTION void device_tile_##n(DEVICE_PARAMETERS, int tile, int at, int reals, int first, int end, \
                                         int variant, int normals)                                           \
    {                                                                                                        \
        device_tile(DEVICE_PASS, tile, at, reals, first, end, n, variant, normals);                          \
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
        device_tile_##n(DEVICE_PASS, tile, at, reals, first, end, variant, normals);                         \
        break;

/* Skins the tile and frames of one work item. */
KERNEL_FUNCTION void device_item(DEVICE_PARAMETERS, int tile, int at, int reals, int variant, int normals)
{
    const int first = KERNEL_ITEM_Y * DEVICE_FRAMES;
    if (tile >= tile_count)
        return;
    const int end = first + DEVICE_FRAMES < frame_count ? first + DEVICE_FRAMES : frame_count;
    const int count = tile_slots[2 * tile + 1];
#if defined(KERNEL_ITERATES)
    device_tile(DEVICE_PASS, tile, at, reals, first, end, count, variant, normals);
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
        device_tile(DEVICE_PASS, tile, at, reals, first, end, count, variant, normals);
#endif
    }
#endif
}

KERNEL_ENTRY skin_tiles(DEVICE_PARAMETERS)
{
    const int item = KERNEL_ITEM_X;
#if DEVICE_REALS > 1
    if (flags & DEVICE_FILE_ORDER) {
        device_item(DEVICE_PASS, item / DEVICE_REALS, item % DEVICE_REALS, 1, DEVICE_VARIANT, DEVICE_NORMALS);
        return;
    }
#endif
    device_item(DEVICE_PASS, item, 0, DEVICE_REALS, DEVICE_VARIANT, DEVICE_NORMALS);
}

#endif

#endif

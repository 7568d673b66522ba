/* What follows a method's kernel, whose function is KERNEL_VERTEX, in the text that OpenCL and CUDA compile: the entry
 * point skin_tiles, of one variant, as compilers make code of all entries there are. Vertices whose set takes another variant
 * are left out. A work item takes DEVICE_LANES vertices of one joint set in DEVICE_FRAMES frames:
 *   on a processor   as many vertices as lie side by side in its vectors, palette and weights as the host's loops have them
 *   on a GPU         one vertex, whose rest pose, weights and values are read once and held for all frames
 * Vertices stand in bound order, each joint set padded to a multiple of the lanes: L lanes, T = L / DEVICE_LANES tiles, N
 * vertices, S joint sets, P joints. The device writes before this text (device_program):
 *
 *   DEVICE_LANES, DEVICE_FRAMES
 *   DEVICE_VARIANT, DEVICE_NORMALS    which variant it is; 1: normals are skinned, else 0
 *   DEVICE_PER_JOINT, DEVICE_PER_SET, DEVICE_PER_VERTEX    values, those of joints padded to whole rows of 4
 *   DEVICE_COUNTS         4 or 8: no joint set has more influences; 9: some have
 *   KERNEL_WIDE_ROWS      where such a row is one load */
#ifndef SKINBENCH_KERNEL_DEVICE_KERNEL_H
#define SKINBENCH_KERNEL_DEVICE_KERNEL_H

#include "methods/kernel/iterate.kernel.h"

#if defined(DEVICE_LANES)

enum { DEVICE_COMPONENTS_MAX = 6 }; /* a position and a normal */

/* Two-phase skinning (DQS 4.2): the kernel that KERNEL_FIRST_VERTEX names, whose palette is C'_j, inflates the
 * rest pose before the method sees it. */
KERNEL_FUNCTION SkinnedPoint device_vertex(KernelView view, KERNEL_GLOBAL const Real *first_values,
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

/* The arguments of the entry, in the order of DeviceBuffer and DeviceSize; `flags` is a sum of DeviceFlags. The launch
 * takes frame_count frames of the palettes from first_frame on to those of `out` and `out_normals` from first_result on. */
#define DEVICE_PARAMETERS                                                                                    \
    KERNEL_GLOBAL const Real *KERNEL_RESTRICT rest,              /* [3][L], or [6][L] with normals */        \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT weights,       /* [max_influences][L] */                   \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT vertex_values, /* [DEVICE_PER_VERTEX][L] */                \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT parameters,                                                \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT set_of_tile, /* [T] */                                      \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT set_slots,   /* [S][2] first of joints, influences */       \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT joints,                                                     \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT vertices,               /* [L] in the file; -1: padding */  \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT joint_values,          /* [frame][P][DEVICE_PER_JOINT] */  \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT set_values,            /* [frame][S][DEVICE_PER_SET] */    \
        KERNEL_GLOBAL const unsigned char *KERNEL_RESTRICT set_variants, /* [frame][S] */                    \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT first_values,          /* [frame][P][12], or unused */     \
        KERNEL_GLOBAL Real *KERNEL_RESTRICT out, /* [frame][3 or 6][L]; in file order [frame][N][3] */       \
        KERNEL_GLOBAL Real *KERNEL_RESTRICT out_normals, /* in file order alone: [frame][N][3] */            \
        int vertex_count, int tile_count, int set_count, int joint_count, int first_frame, int first_result, \
        int frame_count, int flags

#define DEVICE_PASS                                                                                          \
    rest, weights, vertex_values, parameters, set_of_tile, set_slots, joints, vertices, joint_values,        \
        set_values, set_variants, first_values, out, out_normals, vertex_count, tile_count, set_count,       \
        joint_count, first_frame, first_result, frame_count, flags

enum DeviceFlags {
    DEVICE_FILE_ORDER = 1, /* results as the file has its vertices; else by lanes */
    DEVICE_FILE_NORMALS = 2,
    DEVICE_MIXED = 4 /* not all joint sets take this variant */
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

KERNEL_FUNCTION void device_put_point(KERNEL_GLOBAL Real *out, size_t vertex, Real x, Real y, Real z)
{
    out[3 * vertex] = x;
    out[3 * vertex + 1] = y;
    out[3 * vertex + 2] = z;
}

/* The results of a tile in a frame of `out`: [3 or 6][DEVICE_LANES]. */
KERNEL_FUNCTION void device_put(DEVICE_PARAMETERS, size_t frame, size_t lane_first, int components,
                                const Real skinned[DEVICE_COMPONENTS_MAX][DEVICE_LANES])
{
    const size_t stride = (size_t)tile_count * DEVICE_LANES;
    if (!(flags & DEVICE_FILE_ORDER)) {
        KERNEL_GLOBAL Real *own = out + frame * components * stride + lane_first;
        for (int i = 0; i < components; i++)
            for (int lane = 0; lane < DEVICE_LANES; lane++)
                own[i * stride + lane] = skinned[i][lane];
        return;
    }
    const size_t frame_first = frame * (size_t)vertex_count;
    const int with_normals = components > 3 && (flags & DEVICE_FILE_NORMALS);
#if DEVICE_LANES > 1
    /* Whole tiles, most of all, without a question per vertex. */
    if (vertices[lane_first + DEVICE_LANES - 1] >= 0) {
#pragma unroll
        for (int lane = 0; lane < DEVICE_LANES; lane++)
            device_put_point(out, frame_first + (size_t)vertices[lane_first + lane], skinned[0][lane],
                             skinned[1][lane], skinned[2][lane]);
        for (int lane = 0; with_normals && lane < DEVICE_LANES; lane++)
            device_put_point(out_normals, frame_first + (size_t)vertices[lane_first + lane], skinned[3][lane],
                             skinned[4][lane], skinned[5][lane]);
        return;
    }
#endif
#pragma unroll 1
    for (int lane = 0; lane < DEVICE_LANES && vertices[lane_first + lane] >= 0; lane++) {
        const size_t place = frame_first + (size_t)vertices[lane_first + lane];
        device_put_point(out, place, skinned[0][lane], skinned[1][lane], skinned[2][lane]);
        if (with_normals)
            device_put_point(out_normals, place, skinned[3][lane], skinned[4][lane], skinned[5][lane]);
    }
}

/* The components of a point of one lane. */
KERNEL_FUNCTION void device_hold(Real skinned[DEVICE_COMPONENTS_MAX][DEVICE_LANES], int lane, int normals,
                                 SkinnedPoint own)
{
    skinned[0][lane] = own.position.x;
    skinned[1][lane] = own.position.y;
    skinned[2][lane] = own.position.z;
    if (normals) {
        skinned[3][lane] = own.normal.x;
        skinned[4][lane] = own.normal.y;
        skinned[5][lane] = own.normal.z;
    }
}

/* The tile in frames `first` to `end` - 1 of the launch; `count` is a constant but for sets of more than 8 influences.
 */
KERNEL_FUNCTION void device_tile(DEVICE_PARAMETERS, int tile, int first, int end, int set, int count,
                                 int held, int variant, int normals)
{
    const size_t stride = (size_t)tile_count * DEVICE_LANES, lane_first = (size_t)tile * DEVICE_LANES;
    KernelView view;
    view.joints = joints + set_slots[2 * set];
    view.parameters = parameters;
    view.values_per_joint = DEVICE_PER_JOINT;
    view.stride = (int)stride;
#if DEVICE_LANES == 1
    const SkinnedPoint point = device_rest(rest + lane_first, stride, normals);
    view.weights = weights + lane_first;
    view.vertex_values = vertex_values + lane_first;
#if defined(__CUDACC__)
    Real own_weights[8], own_values[DEVICE_PER_VERTEX + 1];
    int own_joints[8];
    if (held) {
#pragma unroll
        for (int k = 0; k < count; k++) {
            own_weights[k] = view.weights[k * stride];
            own_joints[k] = view.joints[k];
        }
#pragma unroll
        for (int i = 0; i < DEVICE_PER_VERTEX; i++)
            own_values[i] = view.vertex_values[i * stride];
        view.joints = own_joints;
        view.weights = own_weights;
        view.vertex_values = own_values;
        view.stride = 1;
    }
#endif
#endif
#pragma unroll 1
    for (int i = first; i < end; i++) {
        const size_t frame = (size_t)(first_frame + i), result = (size_t)(first_result + i);
        if ((flags & DEVICE_MIXED) && set_variants[frame * set_count + set] != variant)
            continue;
        KERNEL_GLOBAL const Real *own_first = first_values + frame * joint_count * 12;
        view.joint_values = joint_values + frame * joint_count * DEVICE_PER_JOINT;
        view.set_values = set_values + (frame * set_count + set) * DEVICE_PER_SET;
        /* Stored after the loop, which then writes nothing that it might read: compilers make vectors of it. */
        Real skinned[DEVICE_COMPONENTS_MAX][DEVICE_LANES];
#if DEVICE_LANES == 1
        device_hold(skinned, 0, normals, device_vertex(view, own_first, variant, count, point));
#else
#if defined(__clang__) && !defined(KERNEL_ITERATES)
#pragma clang loop vectorize_width(DEVICE_LANES)
#endif
        for (int lane = 0; lane < DEVICE_LANES; lane++) {
            view.weights = weights + lane_first + lane;
            view.vertex_values = vertex_values + lane_first + lane;
            device_hold(skinned, lane, normals,
                        device_vertex(view, own_first, variant, count,
                                      device_rest(rest + lane_first + lane, stride, normals)));
        }
#endif
        device_put(DEVICE_PASS, result, lane_first, normals ? 6 : 3, skinned);
    }
}

/* The counts of influences that have code of their own: the loop over them is then unrolled whole. A function each, as
 * compilers make one call of several that differ in a constant. */
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
#if DEVICE_COUNTS > 4
DEVICE_TILE_OF(8)
#endif
#define DEVICE_CASE(n)                                                                                       \
    case n:                                                                                                  \
        device_tile_##n(DEVICE_PASS, tile, first, end, set, variant, normals);                               \
        break;

/* A work item. */
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
#if DEVICE_COUNTS > 4
        DEVICE_CASE(8)
#endif
#if DEVICE_COUNTS > 8
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

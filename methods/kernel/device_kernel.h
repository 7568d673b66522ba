/* What follows a method's kernel, whose function is KERNEL_VERTEX, in the text that OpenCL and CUDA compile: the
 * entry points, one work item per vertex and frame. Vertices stand in bound order; N vertices, S joint sets, P joints. */
#ifndef SKINBENCH_KERNEL_DEVICE_KERNEL_H
#define SKINBENCH_KERNEL_DEVICE_KERNEL_H

#include "methods/kernel/iterate.kernel.h"

#ifndef KERNEL_VARIANTS
#define KERNEL_VARIANTS 1
#endif

/* Two-phase skinning (DQS 4.2): the kernel that KERNEL_FIRST_VERTEX names, whose palette is C'_j, inflates the
 * rest pose before the method sees it. */
KERNEL_FUNCTION SkinnedPoint device_first_phase(KernelView view, KERNEL_GLOBAL const Real *first_values,
                                                int count, SkinnedPoint rest)
{
#if defined(KERNEL_FIRST_VERTEX)
    view.joint_values = first_values;
    view.values_per_joint = 12;
    rest = KERNEL_FIRST_VERTEX(view, count, 0, rest);
#endif
    return rest;
}

/* The kernel's vertex, its variant a constant in each turn of the unrolled loop. */
KERNEL_FUNCTION SkinnedPoint device_vertex(KernelView view, int count, int chosen, SkinnedPoint rest)
{
    SkinnedPoint skinned = rest;
#pragma unroll
    for (int variant = 0; variant < KERNEL_VARIANTS; variant++)
        if (variant == chosen)
            skinned = KERNEL_VERTEX(view, count, variant, rest);
    return skinned;
}

/* The arguments of an entry, in the order of DeviceBuffer and DeviceSize. */
#define DEVICE_PARAMETERS                                                                                    \
    KERNEL_GLOBAL const Real *KERNEL_RESTRICT rest,              /* [3][N], or [6][N] with normals */        \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT weights,       /* [max_influences][N] */                   \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT vertex_values, /* [values_per_vertex][N] */                \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT parameters,                                                \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT set_of_vertex, /* [N] */                                    \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT first_slot,    /* [S + 1] */                                \
        KERNEL_GLOBAL const int *KERNEL_RESTRICT joints,                                                     \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT joint_values,          /* [frame][P][values_per_joint] */  \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT set_values,            /* [frame][S][values_per_set] */    \
        KERNEL_GLOBAL const unsigned char *KERNEL_RESTRICT set_variants, /* [frame][S] */                    \
        KERNEL_GLOBAL const Real *KERNEL_RESTRICT first_values,          /* [frame][P][12], or unused */     \
        KERNEL_GLOBAL Real *KERNEL_RESTRICT out,                         /* [frame][3 or 6][N] */            \
        int vertex_count, int set_count, int joint_count, int values_per_joint, int values_per_set,          \
        int first_frame

#define DEVICE_PASS                                                                                          \
    rest, weights, vertex_values, parameters, set_of_vertex, first_slot, joints, joint_values, set_values,   \
        set_variants, first_values, out, vertex_count, set_count, joint_count, values_per_joint,             \
        values_per_set, first_frame

/* The work item's vertex; `normals` is a constant. */
KERNEL_FUNCTION void device_skin(DEVICE_PARAMETERS, int normals)
{
    const int vertex = KERNEL_ITEM_VERTEX;
    const size_t frame = (size_t)(first_frame + KERNEL_ITEM_FRAME), stride = (size_t)vertex_count;
    if (vertex >= vertex_count)
        return;
    const int set = set_of_vertex[vertex], count = first_slot[set + 1] - first_slot[set];
    KernelView view;
    view.joint_values = joint_values + frame * joint_count * values_per_joint;
    view.joints = joints + first_slot[set];
    view.weights = weights + vertex;
    view.set_values = set_values + (frame * set_count + set) * values_per_set;
    view.vertex_values = vertex_values + vertex;
    view.parameters = parameters;
    view.values_per_joint = values_per_joint;
    view.stride = vertex_count;
    SkinnedPoint point;
    point.position = vec3_make(rest[vertex], rest[stride + vertex], rest[2 * stride + vertex]);
    point.normal = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    if (normals)
        point.normal =
            vec3_make(rest[3 * stride + vertex], rest[4 * stride + vertex], rest[5 * stride + vertex]);
    point = device_first_phase(view, first_values + frame * joint_count * 12, count, point);
    point = device_vertex(view, count, set_variants[frame * set_count + set], point);
    KERNEL_GLOBAL Real *result = out + frame * (normals ? 6 : 3) * stride + vertex;
    result[0] = point.position.x;
    result[stride] = point.position.y;
    result[2 * stride] = point.position.z;
    if (normals) {
        result[3 * stride] = point.normal.x;
        result[4 * stride] = point.normal.y;
        result[5 * stride] = point.normal.z;
    }
}

KERNEL_ENTRY skin_positions(DEVICE_PARAMETERS)
{
    device_skin(DEVICE_PASS, 0);
}

KERNEL_ENTRY skin_normals(DEVICE_PARAMETERS)
{
    device_skin(DEVICE_PASS, 1);
}

#endif

/* Entry point of the kernels whose instructions are counted (DQS Figure 19). It follows a kernel in the
 * CUDA source. There is one work item per vertex; joints, weights and values are contiguous, like the
 * attributes of a vertex shader. Defined before this file: COUNT influences, VARIANT, PER_JOINT, PER_SET
 * and PER_VERTEX values, NORMALS and TWO_PHASE (0 or 1). */
#include "methods/kernel/kernel.h"

/* Returns the position moved by the blended matrix of the C'_j, the first phase of DQS 4.2. */
KERNEL_FUNCTION Vec3 instructions_first_phase(KernelView view, KERNEL_GLOBAL const Real *first_values,
                                              Vec3 position)
{
    view.joint_values = first_values;
    view.values_per_joint = 12;
    Transform blend = transform_scale(kernel_joint34(view, 0), view.weights[0].at[0]);
#pragma unroll
    for (int k = 1; k < COUNT; k++)
        blend = transform_add_scaled(blend, kernel_joint34(view, k), view.weights[k].at[0]);
    return transform_point(blend, position);
}

KERNEL_ENTRY count_instructions(KERNEL_GLOBAL const Real *KERNEL_RESTRICT rest,
                                KERNEL_GLOBAL const Real *KERNEL_RESTRICT normals,
                                KERNEL_GLOBAL const int *KERNEL_RESTRICT joints,
                                KERNEL_GLOBAL const DeviceReals *KERNEL_RESTRICT weights,
                                KERNEL_GLOBAL const DeviceReals *KERNEL_RESTRICT vertex_values,
                                KERNEL_GLOBAL const Real *KERNEL_RESTRICT parameters,
                                KERNEL_GLOBAL const Real *KERNEL_RESTRICT joint_values,
                                KERNEL_GLOBAL const Real *KERNEL_RESTRICT set_values,
                                KERNEL_GLOBAL const Real *KERNEL_RESTRICT first_values,
                                KERNEL_GLOBAL Real *KERNEL_RESTRICT out)
{
    const int vertex = KERNEL_ITEM_X;
    KernelView view;
    view.joint_values = joint_values;
    view.joints = joints + COUNT * vertex;
    view.weights = weights + COUNT * vertex;
    view.set_values = set_values + PER_SET * vertex;
    view.vertex_values = vertex_values + PER_VERTEX * vertex;
    view.parameters = parameters;
    view.values_per_joint = PER_JOINT;
    view.stride = 1;
    view.at = 0;
    SkinnedPoint point;
    point.position = vec3_make(rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]);
    point.normal = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    if (NORMALS)
        point.normal = vec3_make(normals[3 * vertex], normals[3 * vertex + 1], normals[3 * vertex + 2]);
    if (TWO_PHASE)
        point.position = instructions_first_phase(view, first_values, point.position);
    point = KERNEL_VERTEX(view, COUNT, VARIANT, point);
    out[6 * vertex] = point.position.x;
    out[6 * vertex + 1] = point.position.y;
    out[6 * vertex + 2] = point.position.z;
    if (NORMALS) {
        out[6 * vertex + 3] = point.normal.x;
        out[6 * vertex + 4] = point.normal.y;
        out[6 * vertex + 5] = point.normal.z;
    }
}

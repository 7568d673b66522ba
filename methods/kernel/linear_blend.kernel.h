/* Position by linear blend skinning (SBS eq. 1), for kernels that do not need the blended matrix. */
#ifndef SKINBENCH_KERNEL_LINEAR_BLEND_KERNEL_H
#define SKINBENCH_KERNEL_LINEAR_BLEND_KERNEL_H

#include "methods/kernel/kernel.h"

/* Returns sum_k w_k (C_k v). */
KERNEL_FUNCTION Vec3 linear_blend_position(KERNEL_ARGUMENTS, int count, Vec3 rest)
{
    Vec3 position = vec3_scale(transform_point(JOINT34(0), rest), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        position = vec3_add_scaled(position, transform_point(JOINT34(k), rest), WEIGHT(k));
    return position;
}

#endif

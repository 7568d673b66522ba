/* Dual quaternions, real + eps dual. Unit dual quaternions represent rigid transformations (DQS section 3).
 * Written in the common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_GEOMETRY_DUAL_QUAT_H
#define SKINBENCH_GEOMETRY_DUAL_QUAT_H

#include "datasets/geometry/quat.h"

typedef struct DualQuat {
    Quat real; /* the rotation */
    Quat dual; /* half the product of the translation and the rotation */
} DualQuat;

/* s a */
KERNEL_FUNCTION DualQuat dual_quat_scale(DualQuat a, Real s)
{
    DualQuat result;
    result.real = quat_scale(a.real, s);
    result.dual = quat_scale(a.dual, s);
    return result;
}

/* a + s b */
KERNEL_FUNCTION DualQuat dual_quat_add_scaled(DualQuat a, DualQuat b, Real s)
{
    DualQuat result;
    result.real = quat_add_scaled(a.real, b.real, s);
    result.dual = quat_add_scaled(a.dual, b.dual, s);
    return result;
}

#endif

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

/* Returns the rigid transformation that rotates by the unit quaternion q and then translates by t. */
KERNEL_FUNCTION DualQuat dual_quat_from_rotation_translation(Quat q, Vec3 t)
{
    DualQuat result;
    result.real = q;
    result.dual = quat_scale(quat_mul(quat_make(REAL(0.0), t.x, t.y, t.z), q), REAL(0.5));
    return result;
}

/* Returns the translation of a dual quaternion whose real part is a unit quaternion: the vector part of 2
 * dual conj(real) (DQS eq. 14). */
KERNEL_FUNCTION Vec3 dual_quat_translation(DualQuat q)
{
    Vec3 d0 = quat_vector(q.real), de = quat_vector(q.dual);
    Vec3 turned = vec3_cross(d0, de);
    turned = vec3_add_scaled(turned, de, q.real.w);
    turned = vec3_add_scaled(turned, d0, -q.dual.w);
    return vec3_scale(turned, REAL(2.0));
}

#endif

/* Quaternions w + xi + yj + zk. Written in the common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_GEOMETRY_QUAT_H
#define SKINBENCH_GEOMETRY_QUAT_H

#include "datasets/geometry/vec3.h"

typedef struct Quat {
    Real w, x, y, z;
} Quat;

KERNEL_FUNCTION Quat quat_make(Real w, Real x, Real y, Real z)
{
    Quat result;
    result.w = w;
    result.x = x;
    result.y = y;
    result.z = z;
    return result;
}

KERNEL_FUNCTION Vec3 quat_vector(Quat q)
{
    return vec3_make(q.x, q.y, q.z);
}

KERNEL_FUNCTION Real quat_dot(Quat a, Quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL_FUNCTION Quat quat_scale(Quat a, Real s)
{
    return quat_make(a.w * s, a.x * s, a.y * s, a.z * s);
}

/* a + s b */
KERNEL_FUNCTION Quat quat_add_scaled(Quat a, Quat b, Real s)
{
    return quat_make(a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* Hamilton product: the rotation by b followed by the rotation by a. */
KERNEL_FUNCTION Quat quat_mul(Quat a, Quat b)
{
    return quat_make(
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

KERNEL_FUNCTION Quat quat_conjugate(Quat a)
{
    return quat_make(a.w, -a.x, -a.y, -a.z);
}

/* Rotates v by the unit quaternion q = (w, d): v + 2 d x (d x v + w v) (DQS eq. 15). */
KERNEL_FUNCTION Vec3 quat_rotate(Quat q, Vec3 v)
{
    Vec3 d = quat_vector(q);
    Vec3 inner = vec3_add_scaled(vec3_cross(d, v), v, q.w);
    return vec3_add_scaled(v, vec3_cross(d, inner), REAL(2.0));
}

#endif

/* Vectors with three components. Written in the common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_GEOMETRY_VEC3_H
#define SKINBENCH_GEOMETRY_VEC3_H

#include "datasets/geometry/dialect.h"

typedef struct Vec3 {
    Real x, y, z;
} Vec3;

KERNEL_FUNCTION Vec3 vec3_make(Real x, Real y, Real z)
{
    Vec3 result;
    result.x = x;
    result.y = y;
    result.z = z;
    return result;
}

KERNEL_FUNCTION Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

KERNEL_FUNCTION Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

KERNEL_FUNCTION Vec3 vec3_scale(Vec3 a, Real s)
{
    return vec3_make(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
KERNEL_FUNCTION Vec3 vec3_add_scaled(Vec3 a, Vec3 b, Real s)
{
    return vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

KERNEL_FUNCTION Real vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL_FUNCTION Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

KERNEL_FUNCTION Real vec3_length(Vec3 a)
{
    return real_sqrt(vec3_dot(a, a));
}

/* Returns the unit vector in the direction of a; a zero vector stays zero. */
KERNEL_FUNCTION Vec3 vec3_normalize(Vec3 a)
{
    Real length = vec3_length(a);
    return vec3_scale(a, length > REAL(0.0) ? REAL(1.0) / length : REAL(0.0));
}

#endif

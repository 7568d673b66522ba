/* Affine transformations as 3x4 matrices by rows. This is the layout of `rig/transforms` in a data set
 * file, so that arrays can be read and written directly. Written in the common subset of C11, OpenCL C and
 * CUDA C. */
#ifndef SKINBENCH_GEOMETRY_TRANSFORM_H
#define SKINBENCH_GEOMETRY_TRANSFORM_H

#include "datasets/geometry/vec3.h"

typedef struct Transform {
    Real m00, m01, m02, m03; /* m03, m13 and m23 are the translation */
    Real m10, m11, m12, m13;
    Real m20, m21, m22, m23;
} Transform;

/* A 3x3 matrix by rows. `rig/scale` in a data set file has this layout. */
typedef struct Mat3 {
    Real m00, m01, m02;
    Real m10, m11, m12;
    Real m20, m21, m22;
} Mat3;

/* T (v, 1) */
KERNEL_FUNCTION Vec3 transform_point(Transform t, Vec3 v)
{
    return vec3_make(t.m00 * v.x + t.m01 * v.y + t.m02 * v.z + t.m03,
                     t.m10 * v.x + t.m11 * v.y + t.m12 * v.z + t.m13,
                     t.m20 * v.x + t.m21 * v.y + t.m22 * v.z + t.m23);
}

/* T (v, 0) */
KERNEL_FUNCTION Vec3 transform_direction(Transform t, Vec3 v)
{
    return vec3_make(t.m00 * v.x + t.m01 * v.y + t.m02 * v.z, t.m10 * v.x + t.m11 * v.y + t.m12 * v.z,
                     t.m20 * v.x + t.m21 * v.y + t.m22 * v.z);
}

/* Returns the product a b, which applies b first: (a b) v = a (b v). */
KERNEL_FUNCTION Transform transform_product(Transform a, Transform b)
{
    const Vec3 x = transform_direction(a, vec3_make(b.m00, b.m10, b.m20));
    const Vec3 y = transform_direction(a, vec3_make(b.m01, b.m11, b.m21));
    const Vec3 z = transform_direction(a, vec3_make(b.m02, b.m12, b.m22));
    const Vec3 t = transform_point(a, vec3_make(b.m03, b.m13, b.m23));
    const Transform product = {x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z};
    return product;
}

/* s a */
KERNEL_FUNCTION Transform transform_scale(Transform a, Real s)
{
    a.m00 *= s;
    a.m01 *= s;
    a.m02 *= s;
    a.m03 *= s;
    a.m10 *= s;
    a.m11 *= s;
    a.m12 *= s;
    a.m13 *= s;
    a.m20 *= s;
    a.m21 *= s;
    a.m22 *= s;
    a.m23 *= s;
    return a;
}

/* a + s b */
KERNEL_FUNCTION Transform transform_add_scaled(Transform a, Transform b, Real s)
{
    a.m00 += s * b.m00;
    a.m01 += s * b.m01;
    a.m02 += s * b.m02;
    a.m03 += s * b.m03;
    a.m10 += s * b.m10;
    a.m11 += s * b.m11;
    a.m12 += s * b.m12;
    a.m13 += s * b.m13;
    a.m20 += s * b.m20;
    a.m21 += s * b.m21;
    a.m22 += s * b.m22;
    a.m23 += s * b.m23;
    return a;
}

#endif

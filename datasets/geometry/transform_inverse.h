/* The inverse of an affine transformation. */
#ifndef SKINBENCH_GEOMETRY_TRANSFORM_INVERSE_H
#define SKINBENCH_GEOMETRY_TRANSFORM_INVERSE_H

#include "datasets/geometry/transform.h"
#include <math.h>
#include <stdbool.h>

/* By the cofactors; false, with *out untouched, for a matrix without an inverse. */
static inline bool transform_inverse(Transform t, Transform *out)
{
    Vec3 row0 = vec3_make(t.m00, t.m01, t.m02), row1 = vec3_make(t.m10, t.m11, t.m12),
         row2 = vec3_make(t.m20, t.m21, t.m22);
    double det = vec3_dot(row0, vec3_cross(row1, row2));
    if (!isfinite(1.0 / det))
        return false;
    Vec3 x = vec3_scale(vec3_cross(row1, row2), 1.0 / det); /* the inverse's columns */
    Vec3 y = vec3_scale(vec3_cross(row2, row0), 1.0 / det);
    Vec3 z = vec3_scale(vec3_cross(row0, row1), 1.0 / det);
    *out = (Transform){x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0};
    Vec3 moved = transform_point(*out, vec3_make(t.m03, t.m13, t.m23));
    out->m03 = -moved.x;
    out->m13 = -moved.y;
    out->m23 = -moved.z;
    return true;
}

#endif

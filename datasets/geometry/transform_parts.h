/* Access to the parts of affine transformations: translation, axes (the columns) and matrix; also the
 * inverse. For host code only. */
#pragma once

#include "datasets/geometry/transform.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static inline Vec3 transform_translation(Transform t)
{
    return vec3_make(t.m03, t.m13, t.m23);
}

/* Returns t with its translation replaced by `place`. */
static inline Transform transform_moved_to(Transform t, Vec3 place)
{
    return (Transform){t.m00, t.m01,   t.m02, place.x, t.m10, t.m11,
                       t.m12, place.y, t.m20, t.m21,   t.m22, place.z};
}

static inline Transform transform_of_axes(const Vec3 axes[3], Vec3 translation)
{
    const Vec3 x = axes[0], y = axes[1], z = axes[2];
    return transform_moved_to((Transform){x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0}, translation);
}

static inline void transform_axes(Transform t, Vec3 axes[3])
{
    axes[0] = vec3_make(t.m00, t.m10, t.m20);
    axes[1] = vec3_make(t.m01, t.m11, t.m21);
    axes[2] = vec3_make(t.m02, t.m12, t.m22);
}

static inline Real transform_determinant(Transform t)
{
    Vec3 axes[3];
    transform_axes(t, axes);
    return vec3_dot(axes[0], vec3_cross(axes[1], axes[2]));
}

static inline Transform transform_translate(Vec3 by)
{
    return (Transform){1, 0, 0, by.x, 0, 1, 0, by.y, 0, 0, 1, by.z};
}

static inline Transform transform_identity(void)
{
    return transform_translate(vec3_make(0, 0, 0));
}

static inline Transform transform_of_matrix(const Real m[3][3], Vec3 translation)
{
    return (Transform){m[0][0], m[0][1],       m[0][2], translation.x, m[1][0], m[1][1],
                       m[1][2], translation.y, m[2][0], m[2][1],       m[2][2], translation.z};
}

static inline void transform_matrix(Transform t, Real m[3][3])
{
    for (int row = 0; row < 3; row++)
        memcpy(m[row], &t.m00 + 4 * row, 3 * sizeof(Real));
}

/* Inverts t by cofactors. If the matrix has no inverse, returns false and does not change *out. */
static inline bool transform_inverse(Transform t, Transform *out)
{
    Vec3 row0 = vec3_make(t.m00, t.m01, t.m02), row1 = vec3_make(t.m10, t.m11, t.m12),
         row2 = vec3_make(t.m20, t.m21, t.m22);
    const Real det = vec3_dot(row0, vec3_cross(row1, row2));
    if (!isfinite(REAL(1.0) / det))
        return false;
    const Vec3 columns[3] = {vec3_scale(vec3_cross(row1, row2), REAL(1.0) / det),
                             vec3_scale(vec3_cross(row2, row0), REAL(1.0) / det),
                             vec3_scale(vec3_cross(row0, row1), REAL(1.0) / det)};
    *out = transform_of_axes(columns, vec3_make(0, 0, 0));
    *out = transform_moved_to(*out, vec3_scale(transform_point(*out, transform_translation(t)), -1));
    return true;
}

/* Rigid motions given by axis, angle and centre. Kernels must not include this header. */
#pragma once

#include "datasets/geometry/quat.h"
#include "datasets/geometry/transform_parts.h"

/* Returns the motion that rotates by a unit quaternion and then translates. */
static inline Transform transform_rigid(Quat q, Vec3 t)
{
    const Vec3 axes[3] = {quat_rotate(q, vec3_make(1.0, 0.0, 0.0)), quat_rotate(q, vec3_make(0.0, 1.0, 0.0)),
                          quat_rotate(q, vec3_make(0.0, 0.0, 1.0))};
    return transform_of_axes(axes, t);
}

/* Returns the unit quaternion in the direction of `q`. */
static inline Quat quat_normalize(Quat q)
{
    return quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
}

/* Returns the rotation by `angle_rad` around the unit `axis`. */
static inline Quat quat_turn(Vec3 axis, double angle_rad)
{
    const double s = sin(0.5 * angle_rad);
    return quat_make(cos(0.5 * angle_rad), s * axis.x, s * axis.y, s * axis.z);
}

/* Returns the motion that rotates by `angle_rad` around the unit `axis` through the point `center` and then
 * translates by `moved`. */
static inline Transform transform_rotate_about(Vec3 axis, double angle_rad, Vec3 center, Vec3 moved)
{
    const Quat q = quat_turn(axis, angle_rad);
    return transform_rigid(q, vec3_add(vec3_sub(center, quat_rotate(q, center)), moved));
}

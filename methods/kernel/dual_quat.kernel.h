/* Moves a vertex by a dual quaternion, for kernels whose result is a dual quaternion. */
#ifndef SKINBENCH_KERNEL_DUAL_QUAT_KERNEL_H
#define SKINBENCH_KERNEL_DUAL_QUAT_KERNEL_H

#include "methods/kernel/kernel.h"

/* Moves a vertex by the rigid transformation of b = b0 + eps be, which may have any length. The scalar
 * parts are a0, ae and the vector parts d0, de (DQS Algorithm 1):
 *   v' = v + 2 (d0 x (d0 x v + a0 v + de) + a0 de - ae d0) / |b0|^2
 *   n' = n + 2 (d0 x (d0 x n + a0 n)) / |b0|^2
 * The two cross products by d0 of Algorithm 1 are merged. Its square root is avoided: c0 and ce occur only
 * in products of two, so 1 / |b0|^2 is enough. */
KERNEL_FUNCTION SkinnedPoint dual_quat_move(DualQuat blend, SkinnedPoint rest)
{
    const Vec3 d0 = quat_vector(blend.real), de = quat_vector(blend.dual);
    const Real a0 = blend.real.w, ae = blend.dual.w;
    const Real factor = REAL(2.0) / quat_dot(blend.real, blend.real);

    Vec3 inner = vec3_add_scaled(vec3_add(vec3_cross(d0, rest.position), de), rest.position, a0);
    Vec3 offset = vec3_add_scaled(vec3_add_scaled(vec3_cross(d0, inner), de, a0), d0, -ae);
    Vec3 turned = vec3_cross(d0, vec3_add_scaled(vec3_cross(d0, rest.normal), rest.normal, a0));

    SkinnedPoint skinned;
    skinned.position = vec3_add_scaled(rest.position, offset, factor);
    skinned.normal = vec3_add_scaled(rest.normal, turned, factor);
    return skinned;
}

#endif

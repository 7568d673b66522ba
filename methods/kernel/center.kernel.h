/* Rotation about a chosen centre, for methods that blend rotations as quaternions and translations linearly
 * (SBS eq. 9):
 *   v' = Q (v - r) + sum_k w_k C_k r           n' = Q n
 * Q the rotation of sum_k w_k q_k, r the centre. The palette holds q_k (values 0 to 3) and C_k (values 4 to
 * 15); variants are those of methods/kernel/hemisphere.h.
 *
 *   #define KERNEL_VARIANTS 5
 *   return CENTER_ROTATION(HEMISPHERE_QUAT_BLEND(count, variant), count, center, rest);
 *
 * A method that knows where its centre goes takes center_rotate, and needs no C_k in its palette. */
#ifndef SKINBENCH_KERNEL_CENTER_KERNEL_H
#define SKINBENCH_KERNEL_CENTER_KERNEL_H

#include "methods/kernel/hemisphere.kernel.h"

/* Where C_k stands in the palette. */
#define CENTER_MATRIX 4

/* Row `row` of sum_k w_k C_k, applied to the point r. */
KERNEL_FUNCTION Real center_moved_row(KERNEL_ARGUMENTS, int count, int row, Vec3 r)
{
    const int first = CENTER_MATRIX + 4 * row;
    const PaletteRow lead = PALETTE_ROW(0, first);
    Real x = WEIGHT(0) * lead.a, y = WEIGHT(0) * lead.b, z = WEIGHT(0) * lead.c, t = WEIGHT(0) * lead.d;
    KERNEL_UNROLL
    for (int k = 1; k < count; k++) {
        const PaletteRow own = PALETTE_ROW(k, first);
        const Real weight = WEIGHT(k);
        x += weight * own.a;
        y += weight * own.b;
        z += weight * own.c;
        t += weight * own.d;
    }
    return x * r.x + y * r.y + z * r.z + t;
}

/* Turn about r, which goes to `moved`. `blend` has the direction of Q's quaternion and any length: only
 * products of two of its components occur, so that 1 / |blend|^2 takes the place of a square root (SBS
 * 4.2). */
KERNEL_FUNCTION SkinnedPoint center_rotate(Quat blend, Vec3 r, Vec3 moved, SkinnedPoint rest)
{
    const Vec3 d = quat_vector(blend);
    const Real factor = REAL(2.0) / quat_dot(blend, blend);
    const Vec3 arm = vec3_sub(rest.position, r);
    const Vec3 swung = vec3_cross(d, vec3_add_scaled(vec3_cross(d, arm), arm, blend.w));
    const Vec3 turned = vec3_cross(d, vec3_add_scaled(vec3_cross(d, rest.normal), rest.normal, blend.w));

    SkinnedPoint skinned;
    skinned.position = vec3_add(vec3_add_scaled(arm, swung, factor), moved);
    skinned.normal = vec3_add_scaled(rest.normal, turned, factor);
    return skinned;
}

KERNEL_FUNCTION SkinnedPoint center_rotation(KERNEL_ARGUMENTS, Quat blend, int count, Vec3 r,
                                             SkinnedPoint rest)
{
    const Vec3 moved =
        vec3_make(center_moved_row(KERNEL_PASS, count, 0, r), center_moved_row(KERNEL_PASS, count, 1, r),
                  center_moved_row(KERNEL_PASS, count, 2, r));
    return center_rotate(blend, r, moved, rest);
}
#define CENTER_ROTATION(blend, count, r, rest) center_rotation(KERNEL_PASS, (blend), (count), (r), (rest))

#endif

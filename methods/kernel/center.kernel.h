/* Rotation about a chosen centre r, for methods that blend rotations as quaternions and translations
 * linearly (SBS eq. 9):
 *   v' = Q (v - r) + sum_k w_k C_k r
 *   n' = Q n
 * Q is the rotation of sum_k w_k q_k. The palette holds q_k (values 0 to 3) and C_k (values 4 to 15). The
 * variants are those of methods/kernel/hemisphere.h. A kernel uses this header as follows:
 *   #define KERNEL_VARIANTS 5
 *   return CENTER_ROTATION(HEMISPHERE_QUAT_BLEND(count, variant), count, center, rest);
 * A method that already knows the moved centre calls center_rotate and needs no C_k in its palette. */
#ifndef SKINBENCH_KERNEL_CENTER_KERNEL_H
#define SKINBENCH_KERNEL_CENTER_KERNEL_H

#include "methods/kernel/hemisphere.kernel.h"

/* Index of the first value of the matrix C_k among a joint's palette values. */
#define CENTER_MATRIX 4

/* Returns C_k r, the centre r moved by the joint of influence k. */
KERNEL_FUNCTION Vec3 center_moved(KERNEL_ARGUMENTS, int k, Vec3 r)
{
    const PaletteRow x = PALETTE_ROW(k, CENTER_MATRIX), y = PALETTE_ROW(k, CENTER_MATRIX + 4),
                     z = PALETTE_ROW(k, CENTER_MATRIX + 8);
    return vec3_make(x.a * r.x + x.b * r.y + x.c * r.z + x.d, y.a * r.x + y.b * r.y + y.c * r.z + y.d,
                     z.a * r.x + z.b * r.y + z.c * r.z + z.d);
}

/* Rotates a vertex about r, which moves to `moved`. `blend` is the quaternion of Q, of any length. Only
 * products of two of its components occur, so dividing by |blend|^2 avoids a square root (SBS 4.2). */
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
    Vec3 moved = vec3_scale(center_moved(KERNEL_PASS, 0, r), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        moved = vec3_add_scaled(moved, center_moved(KERNEL_PASS, k, r), WEIGHT(k));
    return center_rotate(blend, r, moved, rest);
}
#define CENTER_ROTATION(blend, count, r, rest) center_rotation(KERNEL_PASS, (blend), (count), (r), (rest))

#endif

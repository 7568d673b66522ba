/* Bulging-free dual quaternion skinning. If DQS moves a vertex further from the bone of its heaviest joint
 * h than it was at rest, the vertex is pulled back to its rest distance.
 *   d  = distance of v from h's bone
 *   v' = b(v)          b = sum_k w_k q_k, as in DQS
 *   c  = the point of h's posed bone nearest to v'
 *   v" = c + min(1, d / |v' - c|) (v' - c)
 * The palette holds q_k (values 0 to 7), the start of the posed bone (8 to 10), its length (11) and its
 * unit direction (12 to 14), then the start of the bone at rest (16 to 18) and its direction (20 to 22). */
#define KERNEL_VARIANTS 5

#include "methods/kernel/dual_quat.kernel.h"
#include "methods/kernel/hemisphere.kernel.h"

/* Returns the vector from the nearest point of a bone to `point`. The bone begins at `from` and has the
 * given direction and length. */
KERNEL_FUNCTION Vec3 bulging_free_arm(Vec3 point, Vec3 from, Vec3 direction, Real length)
{
    const Vec3 arm = vec3_sub(point, from);
    Real along = vec3_dot(arm, direction);
    along = along < length ? along : length;
    along = along > REAL(0.0) ? along : REAL(0.0);
    return vec3_add_scaled(arm, direction, -along);
}

KERNEL_FUNCTION SkinnedPoint bulging_free_dqs_vertex(KERNEL_ARGUMENTS, int count, int variant,
                                                     SkinnedPoint rest)
{
    SkinnedPoint skinned = dual_quat_move(HEMISPHERE_DUAL_QUAT_BLEND(count, variant), rest);
    Real heaviest = WEIGHT(0);
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        heaviest = WEIGHT(k) > heaviest ? WEIGHT(k) : heaviest;
    /* Select the bone of the heaviest joint by multiplying with a factor, which is 1 for the first such
     * joint and 0 for all others. A branch would prevent vectorisation of the loop. */
    Real left = REAL(1.0), length = REAL(0.0);
    Vec3 from = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0)), direction = from, rest_from = from,
         rest_direction = from;
    KERNEL_UNROLL
    for (int k = 0; k < count; k++) {
        const PaletteRow begins = PALETTE_ROW(k, 8), goes = PALETTE_ROW(k, 12);
        const PaletteRow rest_begins = PALETTE_ROW(k, 16), rest_goes = PALETTE_ROW(k, 20);
        const Real taken = WEIGHT(k) == heaviest ? left : REAL(0.0);
        left -= taken;
        from = vec3_add_scaled(from, vec3_make(begins.a, begins.b, begins.c), taken);
        length += taken * begins.d;
        direction = vec3_add_scaled(direction, vec3_make(goes.a, goes.b, goes.c), taken);
        rest_from = vec3_add_scaled(rest_from, vec3_make(rest_begins.a, rest_begins.b, rest_begins.c), taken);
        rest_direction =
            vec3_add_scaled(rest_direction, vec3_make(rest_goes.a, rest_goes.b, rest_goes.c), taken);
    }
    const Vec3 at_rest = bulging_free_arm(rest.position, rest_from, rest_direction, length);
    const Vec3 arm = bulging_free_arm(skinned.position, from, direction, length);
    const Real before = vec3_dot(at_rest, at_rest), after = vec3_dot(arm, arm);
    const Real excess =
        after > before && length > REAL(0.0) ? real_sqrt(before / after) - REAL(1.0) : REAL(0.0);
    skinned.position = vec3_add_scaled(skinned.position, arm, excess);
    return skinned;
}

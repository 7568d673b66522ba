/* Spherical blend skinning (SBS 4.2, eq. 9). Rotations are blended as quaternions (QLERP, without its
 * square root) and translations linearly, about the centre r of the vertex's joint set in this frame:
 *     v' = Q (v - r) + sum_k w_k C_k r */
#define KERNEL_VARIANTS 5
#define KERNEL_APART
#define KERNEL_MIXED_SET_VALUES 3
#define KERNEL_MIXED_SET_JOINTS (SET_CENTER_JOINTS + 1)

#include "methods/kernel/center.kernel.h"
#include "methods/kernel/set_center.h"

/* Applies joint k to the centre: C_k r. */
KERNEL_FUNCTION Vec3 sbs_center_moved(KERNEL_ARGUMENTS, int k)
{
    const int first = SET_CENTER_MOVED + 3 * k;
    return vec3_make(SET_VALUE(first), SET_VALUE(first + 1), SET_VALUE(first + 2));
}

KERNEL_FUNCTION SkinnedPoint sbs_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const Quat blend = HEMISPHERE_QUAT_BLEND(count, variant);
    if (count > SET_CENTER_JOINTS) {
        const Vec3 own = vec3_make(VERTEX_SET_VALUE(0), VERTEX_SET_VALUE(1), VERTEX_SET_VALUE(2));
        return CENTER_ROTATION(blend, count, own, rest);
    }
    const Vec3 center = vec3_make(SET_VALUE(0), SET_VALUE(1), SET_VALUE(2));
    Vec3 moved = vec3_scale(sbs_center_moved(KERNEL_PASS, 0), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        moved = vec3_add_scaled(moved, sbs_center_moved(KERNEL_PASS, k), WEIGHT(k));
    return center_rotate(blend, center, moved, rest);
}

/* Spherical blend skinning (SBS 4.2, eq. 9): rotations blended as quaternions (QLERP, without its square
 * root), translations linearly, about the centre r of the vertex' joint set and frame:
 *   v' = Q (v - r) + sum_k w_k C_k r */
#define KERNEL_VARIANTS 5

#include "methods/kernel/center.kernel.h"

KERNEL_FUNCTION SkinnedPoint sbs_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const Vec3 center = vec3_make(SET_VALUE(0), SET_VALUE(1), SET_VALUE(2));
    return CENTER_ROTATION(HEMISPHERE_QUAT_BLEND(count, variant), count, center, rest);
}

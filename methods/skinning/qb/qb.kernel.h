/* Direct quaternion blending after Hejl (DQS 2.3): rotations are blended as quaternions, translations
 * linearly, about the vertex' own centre r, its nearest influencing joint in the rest pose:
 *   v' = Q (v - r) + sum_k w_k C_k r */
#define KERNEL_VARIANTS 5

#include "methods/kernel/center.kernel.h"

KERNEL_FUNCTION SkinnedPoint qb_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const Vec3 center = vec3_make(VERTEX_VALUE(0), VERTEX_VALUE(1), VERTEX_VALUE(2));
    return CENTER_ROTATION(HEMISPHERE_QUAT_BLEND(count, variant), count, center, rest);
}

/* Optimised centres of rotation, CoR Algorithm 1. The rotation Q blends the joints' rotations as
 * quaternions (QLERP). The centre p* of the vertex moves by linear blending, and the vertex turns about it
 * (eq. 3b):
 *     v' = Q (v - p*) + sum_k w_k C_k p* */
#define KERNEL_VARIANTS 5

#include "methods/kernel/center.kernel.h"

KERNEL_FUNCTION SkinnedPoint cor_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const Vec3 center = vec3_make(VERTEX_VALUE(0), VERTEX_VALUE(1), VERTEX_VALUE(2));
    return CENTER_ROTATION(HEMISPHERE_QUAT_BLEND(count, variant), count, center, rest);
}

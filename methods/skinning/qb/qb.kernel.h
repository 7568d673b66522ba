/* Direct quaternion blending after Hejl (DQS 2.3). Rotations are blended as quaternions about a centre r of
 * each vertex. The centre is the rest position of the nearest influencing joint c and moves with that
 * joint:
 *   v' = Q (v - r) + C_c r
 * The palette holds q_k (values 0 to 3), the posed position of the joint (4 to 6) and its index (7). Value
 * 3 of a vertex is the index of its centre joint. */
#define KERNEL_VARIANTS 5

#include "methods/kernel/center.kernel.h"

KERNEL_FUNCTION SkinnedPoint qb_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const Vec3 center = vec3_make(VERTEX_VALUE(0), VERTEX_VALUE(1), VERTEX_VALUE(2));
    const Real nearest = VERTEX_VALUE(3);
    Vec3 place = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    KERNEL_UNROLL
    for (int k = 0; k < count; k++) {
        const PaletteRow posed = PALETTE_ROW(k, 4);
        const RealCondition chosen = posed.d == nearest;
        place = vec3_make(chosen ? posed.a : place.x, chosen ? posed.b : place.y, chosen ? posed.c : place.z);
    }
    return center_rotate(HEMISPHERE_QUAT_BLEND(count, variant), center, place, rest);
}

/* Delta Mush smooths the result of linear blend skinning (SBS eq. 1), which this kernel computes. The
 * whole-frame stage replaces the normals, or mixes them with the blended normals of a painted mesh. */
#include "methods/kernel/linear_blend.kernel.h"

KERNEL_FUNCTION SkinnedPoint delta_mush_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    SkinnedPoint skinned;
    skinned.position = linear_blend_position(KERNEL_PASS, count, rest.position);
    skinned.normal = vec3_scale(transform_direction(JOINT34(0), rest.normal), WEIGHT(0));
    for (int k = 1; k < count && NORMAL_WANTED; k++)
        skinned.normal =
            vec3_add_scaled(skinned.normal, transform_direction(JOINT34(k), rest.normal), WEIGHT(k));
    return skinned;
}

/* What Delta Mush smooths: linear blend skinning (SBS eq. 1). Normals follow in the whole-frame stage. */
#include "methods/kernel/kernel.h"

KERNEL_FUNCTION SkinnedPoint delta_mush_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    SkinnedPoint skinned;
    skinned.position = vec3_scale(transform_point(JOINT34(0), rest.position), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        skinned.position =
            vec3_add_scaled(skinned.position, transform_point(JOINT34(k), rest.position), WEIGHT(k));
    skinned.normal = rest.normal;
    return skinned;
}

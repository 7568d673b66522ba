/* Rigid binding: v' = C_h v, where h is the influence of largest weight (the first one on a tie). Compiled
 * as C11, OpenCL C and CUDA C with the vocabulary of methods/kernel/kernel.h. */
#include "methods/kernel/kernel.h"

KERNEL_FUNCTION SkinnedPoint template_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    SkinnedPoint skinned;
    Real heaviest = WEIGHT(0);
    skinned.position = transform_point(JOINT34(0), rest.position);
    skinned.normal = transform_direction(JOINT34(0), rest.normal);
    for (int k = 1; k < count; k++) {
        const Vec3 position = transform_point(JOINT34(k), rest.position);
        const Vec3 normal = transform_direction(JOINT34(k), rest.normal);
        /* Selects values by conditions, because a branch would prevent vertices from being computed in
         * parallel lanes. */
        const RealCondition heavier = WEIGHT(k) > heaviest;
        skinned.position.x = heavier ? position.x : skinned.position.x;
        skinned.position.y = heavier ? position.y : skinned.position.y;
        skinned.position.z = heavier ? position.z : skinned.position.z;
        skinned.normal.x = heavier ? normal.x : skinned.normal.x;
        skinned.normal.y = heavier ? normal.y : skinned.normal.y;
        skinned.normal.z = heavier ? normal.z : skinned.normal.z;
        heaviest = heavier ? WEIGHT(k) : heaviest;
    }
    return skinned;
}

/* Linear blend skinning (SBS eq. 1): v' = (sum_k w_k C_k) v; the blended matrix is applied once. Without
 * normals, v' = sum_k w_k (C_k v) saves 9 multiplications and needs fewer registers.
 *
 * Normals use the inverse transpose of the 3 x 3 part A of the blended matrix. Up to a positive factor it
 * is the cofactor matrix, whose rows are cross products of the rows of A; the result is normalised. If the
 * blend mirrors (det A < 0), the cofactors keep the normal on the outer side. With PARAMETER(0) = 1,
 * normals are multiplied by A itself (DQS 4.2), which is exact if A is a rotation. */
#include "methods/kernel/linear_blend.kernel.h"

#define KERNEL_SUMS

KERNEL_FUNCTION SkinnedPoint lbs_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    (void)variant;
    SkinnedPoint skinned;
    if (!NORMAL_WANTED) {
        skinned.position = linear_blend_position(KERNEL_PASS, count, rest.position);
        skinned.normal = rest.normal;
        return skinned;
    }
    Transform blend = transform_scale(JOINT34(0), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++)
        blend = transform_add_scaled(blend, JOINT34(k), WEIGHT(k));

    Vec3 row0 = vec3_make(blend.m00, blend.m01, blend.m02);
    Vec3 row1 = vec3_make(blend.m10, blend.m11, blend.m12);
    Vec3 row2 = vec3_make(blend.m20, blend.m21, blend.m22);
    Vec3 cofactors = vec3_make(vec3_dot(vec3_cross(row1, row2), rest.normal),
                               vec3_dot(vec3_cross(row2, row0), rest.normal),
                               vec3_dot(vec3_cross(row0, row1), rest.normal));

    skinned.position = transform_point(blend, rest.position);
    if (PARAMETER(0) > 0.5f)
        cofactors =
            vec3_make(vec3_dot(row0, rest.normal), vec3_dot(row1, rest.normal), vec3_dot(row2, rest.normal));
    skinned.normal = vec3_normalize(cofactors);
    return skinned;
}

/* Log-matrix blending (DQS 2.3, eq. 3; Alexa 2002): v' = exp(sum_k w_k log C_k) v. The palette holds half of
 * log C_k: l = angle axis / 2 and m, which is the logarithm of the joint's dual quaternion, so that the
 * exponential is that of dual quaternions: Rodrigues' formula, with its half angles. */
#include "methods/kernel/dual_quat.kernel.h"

#include "datasets/geometry/rigid_log.h"

KERNEL_FUNCTION SkinnedPoint log_matrix_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    (void)variant;
    RigidLog blend;
    blend.l = vec3_scale(vec3_make(PALETTE(0, 0), PALETTE(0, 1), PALETTE(0, 2)), WEIGHT(0));
    blend.m = vec3_scale(vec3_make(PALETTE(0, 3), PALETTE(0, 4), PALETTE(0, 5)), WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++) {
        const Real weight = WEIGHT(k);
        blend.l = vec3_add_scaled(blend.l, vec3_make(PALETTE(k, 0), PALETTE(k, 1), PALETTE(k, 2)), weight);
        blend.m = vec3_add_scaled(blend.m, vec3_make(PALETTE(k, 3), PALETTE(k, 4), PALETTE(k, 5)), weight);
    }
    return dual_quat_move(dual_quat_exp(blend), rest);
}

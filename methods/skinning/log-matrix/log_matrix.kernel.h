/* Log-matrix blending (DQS 2.3, eq. 3; Alexa 2002): v' = exp(sum_k w_k log C_k) v. The palette holds half
 * of log C_k, as l = angle axis / 2 and m. This is the logarithm of the joint's dual quaternion, so the
 * exponential is that of dual quaternions: Rodrigues' formula with half angles. */
#include "methods/kernel/dual_quat.kernel.h"

#include "datasets/geometry/rigid_log.h"

KERNEL_FUNCTION RigidLog log_matrix_joint(KERNEL_ARGUMENTS, int k)
{
    const PaletteRow row = PALETTE_ROW(k, 0);
    RigidLog log;
    log.l = vec3_make(row.a, row.b, row.c);
    log.m = vec3_make(row.d, PALETTE(k, 4), PALETTE(k, 5));
    return log;
}

KERNEL_FUNCTION SkinnedPoint log_matrix_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    (void)variant;
    RigidLog blend = log_matrix_joint(KERNEL_PASS, 0);
    blend.l = vec3_scale(blend.l, WEIGHT(0));
    blend.m = vec3_scale(blend.m, WEIGHT(0));
    KERNEL_UNROLL
    for (int k = 1; k < count; k++) {
        const Real weight = WEIGHT(k);
        const RigidLog joint = log_matrix_joint(KERNEL_PASS, k);
        blend.l = vec3_add_scaled(blend.l, joint.l, weight);
        blend.m = vec3_add_scaled(blend.m, joint.m, weight);
    }
    return dual_quat_move(dual_quat_exp(blend), rest);
}

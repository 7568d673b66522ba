/* Screw linear interpolation of two joints (DQS section 3.4): b = (q_1 q_0*)^t q_0 with the weight t of the
 * second joint. The logarithm of q_1 q_0* is computed once per joint set and stored as the values l
 * and m. */
#include "methods/kernel/dual_quat.kernel.h"

#include "datasets/geometry/rigid_log.h"

KERNEL_FUNCTION SkinnedPoint sclerp_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    (void)variant;
    const Real t = count > 1 ? WEIGHT(1) : REAL(0.0);
    RigidLog part;
    part.l = vec3_scale(vec3_make(SET_VALUE(0), SET_VALUE(1), SET_VALUE(2)), t);
    part.m = vec3_scale(vec3_make(SET_VALUE(3), SET_VALUE(4), SET_VALUE(5)), t);
    return dual_quat_move(dual_quat_mul(dual_quat_exp(part), JOINT_DUAL_QUAT(0)), rest);
}

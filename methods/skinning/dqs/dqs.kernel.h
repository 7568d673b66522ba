/* Dual quaternion skinning by linear blending of dual quaternions, b = sum_k w_k q_k (DQS Algorithm 1). */
#define KERNEL_VARIANTS 5

#include "methods/kernel/dual_quat.kernel.h"
#include "methods/kernel/hemisphere.kernel.h"

KERNEL_FUNCTION SkinnedPoint dqs_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    return dual_quat_move(HEMISPHERE_DUAL_QUAT_BLEND(count, variant), rest);
}

/* Dual quaternion iterative blending (DQS Algorithm 3): from b = DLB on,
 *   x = sum_k w_k log(b* q_k),  b <- b exp(x)
 * until |x| is below a precision or a number of updates is reached. */
#define KERNEL_VARIANTS 5
#define KERNEL_ITERATES

#include "methods/backends/dual_quat.kernel.h"
#include "methods/backends/hemisphere.kernel.h"

#include "datasets/geometry/rigid_log.h"

enum DibParameter { DIB_HEMISPHERE, DIB_PRECISION, DIB_UPDATES, DIB_PARAMETER_COUNT };

typedef struct DibBlend {
    DualQuat blend;
    Real updates; /* of a length not below the precision */
} DibBlend;

/* sum_k w_k log(b* q_k), each q_k with the sign that the variant gives it. */
KERNEL_FUNCTION RigidLog dib_mean(KERNEL_ARGUMENTS, int count, int variant, DualQuat blend)
{
    const DualQuat back = dual_quat_conjugate(blend);
    const Vec3 zero = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat sum = quat_make(REAL(0.0), REAL(0.0), REAL(0.0), REAL(0.0));
    RigidLog mean;
    mean.l = zero;
    mean.m = zero;
    for (int k = 0; k < count; k++) {
        const DualQuat q = JOINT_DUAL_QUAT(k);
        if (k > 0)
            pivot = hemisphere_next(variant, pivot, sum);
        const Real sign = hemisphere_weight(variant, pivot, q.real, REAL(1.0));
        const RigidLog log = dual_quat_log(dual_quat_scale(dual_quat_mul(back, q), sign));
        sum = quat_add_scaled(sum, q.real, sign * WEIGHT(k));
        mean.l = vec3_add_scaled(mean.l, log.l, WEIGHT(k));
        mean.m = vec3_add_scaled(mean.m, log.m, WEIGHT(k));
    }
    return mean;
}

KERNEL_FUNCTION DibBlend dib_blend(KERNEL_ARGUMENTS, int count, int variant)
{
    const Real precision = PARAMETER(DIB_PRECISION);
    const int most = (int)PARAMETER(DIB_UPDATES);
    DibBlend result;
    result.blend = dual_quat_normalize(HEMISPHERE_DUAL_QUAT_BLEND(count, variant));
    result.updates = REAL(0.0);
    for (int update = 0; update < most; update++) {
        const RigidLog step = dib_mean(KERNEL_PASS, count, variant, result.blend);
        const int moves = vec3_dot(step.l, step.l) + vec3_dot(step.m, step.m) >= precision * precision;
        const DualQuat next = dual_quat_mul(result.blend, dual_quat_exp(step));
        result.blend.real = hemisphere_quat_select(moves, next.real, result.blend.real);
        result.blend.dual = hemisphere_quat_select(moves, next.dual, result.blend.dual);
        result.updates += moves ? REAL(1.0) : REAL(0.0);
        if (!moves)
            break;
    }
    return result;
}

KERNEL_FUNCTION SkinnedPoint dib_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    const DibBlend result = dib_blend(KERNEL_PASS, count, variant);
    return dual_quat_move(result.blend, rest);
}

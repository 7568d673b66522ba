/* Dual quaternion iterative blending (DQS Algorithm 3): from b = DLB on,
 *   x = sum_k w_k log(b* q_k),  b <- b exp(x)
 * until |x| is below a precision or a number of updates is reached. */
#define KERNEL_VARIANTS 5

#include "methods/kernel/dual_quat.kernel.h"
#include "methods/kernel/hemisphere.kernel.h"

#include "datasets/geometry/rigid_log.h"

enum { DIB_HEMISPHERE, DIB_PRECISION, DIB_UPDATES, DIB_PARAMETER_COUNT };

typedef struct DibState {
    DualQuat blend;
    Real moves; /* 1; 0 after an update below the precision */
} DibState;

#define KERNEL_ITERATES dib
#define KERNEL_STATE DibState
#define KERNEL_STATE_VALUES(X)                                                                               \
    X(0, blend.real.w)                                                                                       \
    X(1, blend.real.x)                                                                                       \
    X(2, blend.real.y)                                                                                       \
    X(3, blend.real.z)                                                                                       \
    X(4, blend.dual.w)                                                                                       \
    X(5, blend.dual.x)                                                                                       \
    X(6, blend.dual.y)                                                                                       \
    X(7, blend.dual.z)                                                                                       \
    X(8, moves)
#define KERNEL_STEPS PARAMETER(DIB_UPDATES)

/* log(b* q). The signs that a whole joint set shares put its quaternions into b's hemisphere. */
KERNEL_FUNCTION RigidLog dib_log(int variant, DualQuat back, DualQuat q, Real sign)
{
    const DualQuat between = dual_quat_mul(back, q);
    return variant == HEMISPHERE_CHOSEN ? dual_quat_near_log(between)
                                        : dual_quat_log(dual_quat_scale(between, sign));
}

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
        const RigidLog log = dib_log(variant, back, q, sign);
        sum = quat_add_scaled(sum, q.real, sign * WEIGHT(k));
        mean.l = vec3_add_scaled(mean.l, log.l, WEIGHT(k));
        mean.m = vec3_add_scaled(mean.m, log.m, WEIGHT(k));
    }
    return mean;
}

KERNEL_FUNCTION DibState dib_start(KERNEL_ARGUMENTS, int count, int variant)
{
    DibState state;
    state.blend = dual_quat_normalize(HEMISPHERE_DUAL_QUAT_BLEND(count, variant));
    state.moves = count > 1 ? REAL(1.0) : REAL(0.0);
    return state;
}

/* No precision is finer than what rounding leaves of a mean. */
KERNEL_FUNCTION DibState dib_step(KERNEL_ARGUMENTS, int count, int variant, DibState state)
{
    const Real precision = PARAMETER(DIB_PRECISION), rounding = REAL(8.0) * REAL_EPSILON;
    const RigidLog step = dib_mean(KERNEL_PASS, count, variant, state.blend);
    const Real least = precision * precision +
                       rounding * rounding * (REAL(1.0) + quat_dot(state.blend.dual, state.blend.dual));
    const RealCondition moved = state.moves > REAL(0.0),
                        moves = vec3_dot(step.l, step.l) + vec3_dot(step.m, step.m) >= least;
    const DualQuat next = dual_quat_mul(state.blend, variant == HEMISPHERE_CHOSEN ? dual_quat_near_exp(step)
                                                                                  : dual_quat_exp(step));
    state.blend.real = hemisphere_quat_select(moved, next.real, state.blend.real);
    state.blend.dual = hemisphere_quat_select(moved, next.dual, state.blend.dual);
    state.moves = moved && moves ? REAL(1.0) : REAL(0.0);
    return state;
}

KERNEL_FUNCTION SkinnedPoint dib_finish(KERNEL_ARGUMENTS, int count, int variant, DibState state,
                                        SkinnedPoint rest)
{
    (void)kernel_view;
    (void)count;
    (void)variant;
    return dual_quat_move(state.blend, rest);
}

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
    Real moves;   /* 1; 0 after the last update */
    Real updates; /* made so far, but one that is below the precision */
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
    X(8, moves)                                                                                              \
    X(9, updates)
#define KERNEL_STEPS PARAMETER(DIB_UPDATES)

/* The a of which x = sum_k w_k log(b* q_k) is the vector part of b* a. A logarithm's factors depend on the
 * scalar part c + eps e of b* q_k alone, so a = sum_k w_k (f(c) + eps g(c) e) q_k. Each q_k has the sign that
 * the variant gives it; those that a whole joint set shares put its quaternions into b's hemisphere. */
KERNEL_FUNCTION DualQuat dib_sum(KERNEL_ARGUMENTS, int count, int variant, DualQuat b)
{
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat sum = quat_make(REAL(0.0), REAL(0.0), REAL(0.0), REAL(0.0));
    DualQuat a;
    a.real = sum;
    a.dual = sum;
    for (int k = 0; k < count; k++) {
        const DualQuat q = JOINT_DUAL_QUAT(k);
        if (k > 0)
            pivot = hemisphere_next(variant, pivot, sum);
        const Real sign = hemisphere_weight(variant, pivot, q.real, REAL(1.0)), weight = sign * WEIGHT(k);
        const Real c = sign * quat_dot(b.real, q.real);
        const Real e = sign * (quat_dot(b.real, q.dual) + quat_dot(b.dual, q.real));
        const Quat off = quat_add_scaled(quat_scale(q.real, sign), b.real, -c);
        const Real squared = quat_dot(off, off);
        const LogFactors log =
            variant == HEMISPHERE_CHOSEN ? near_log_factors(c, squared) : log_factors(c, squared);
        sum = quat_add_scaled(sum, q.real, weight);
        a = dual_quat_add_scaled(a, q, weight * log.f);
        a.dual = quat_add_scaled(a.dual, q.real, weight * log.g * e);
    }
    return a;
}

KERNEL_FUNCTION DibState dib_start(KERNEL_ARGUMENTS, int count, int variant)
{
    DibState state;
    state.blend = dual_quat_normalize(HEMISPHERE_DUAL_QUAT_BLEND(count, variant));
    state.moves = count > 1 ? REAL(1.0) : REAL(0.0);
    state.updates = REAL(0.0);
    return state;
}

/* With b* a = s + eps s_dual + x, an update in one hemisphere leaves at most 1 - s of x, to first order: the
 * Hessian of the mean is at least sum_k w_k h_k cot(h_k), which is s. Two influences need one update
 * (DQS appendix B.1). No precision is finer than what rounding leaves of a mean. */
KERNEL_FUNCTION DibState dib_step(KERNEL_ARGUMENTS, int count, int variant, DibState state)
{
    const DualQuat b = state.blend;
    const DualQuat mean = dual_quat_mul(dual_quat_conjugate(b), dib_sum(KERNEL_PASS, count, variant, b));
    const Real s = mean.real.w, s_dual = mean.dual.w;
    RigidLog x;
    x.l = quat_vector(mean.real);
    x.m = quat_vector(mean.dual);
    const DualQuat next =
        dual_quat_mul(b, variant == HEMISPHERE_CHOSEN ? dual_quat_near_exp(x) : dual_quat_exp(x));

    const Real precision = PARAMETER(DIB_PRECISION), rounding = REAL(8.0) * REAL_EPSILON;
    const Real least = precision * precision + rounding * rounding * (REAL(1.0) + quat_dot(b.dual, b.dual));
    const Real turn = vec3_dot(x.l, x.l), length = turn + vec3_dot(x.m, x.m), left = REAL(1.0) - s;
    const Real next_length = REAL(2.0) * (left * left * length + s_dual * s_dual * turn);
    const RealCondition moved = state.moves > REAL(0.0);
    state.blend.real = hemisphere_quat_select(moved, next.real, b.real);
    state.blend.dual = hemisphere_quat_select(moved, next.dual, b.dual);
    const RealCondition counts = moved && length >= least;
    const RealCondition last = variant == HEMISPHERE_CHOSEN && (count <= 2 || next_length < least);
    state.updates += counts ? REAL(1.0) : REAL(0.0);
    state.moves = counts && !last ? REAL(1.0) : REAL(0.0);
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

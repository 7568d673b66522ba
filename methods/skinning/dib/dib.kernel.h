/* Dual quaternion iterative blending (DQS Algorithm 3). Starting from b = DLB, the step
 *   x = sum_k w_k log(b* q_k),  b <- b exp(x)
 * is repeated until |x| is below a precision or a number of updates is reached. */
#define KERNEL_VARIANTS 5

#include "methods/kernel/dual_quat.kernel.h"
#include "methods/kernel/hemisphere.kernel.h"

#include "datasets/geometry/rigid_log.h"

enum { DIB_HEMISPHERE, DIB_PRECISION, DIB_UPDATES, DIB_PARAMETER_COUNT };

typedef struct DibState {
    DualQuat blend;
    Real moves;   /* 1 while updates continue; 0 after the last update */
    Real updates; /* number of updates so far; one that is below the precision does not count */
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

/* A dual quaternion a, split into two parts: its component along b, which is b . a, and the orthogonal part
 * x = a - (b . a) b. */
typedef struct DibRest {
    DualQuat x;
    Real s, s_dual;
} DibRest;

KERNEL_FUNCTION DibRest dib_rest(DualQuat a, DualQuat b)
{
    DibRest rest;
    rest.s = quat_dot(b.real, a.real);
    rest.s_dual = quat_dot(b.real, a.dual) + quat_dot(b.dual, a.real);
    rest.x.real = quat_add_scaled(a.real, b.real, -rest.s);
    rest.x.dual = quat_add_scaled(quat_add_scaled(a.dual, b.dual, -rest.s), b.real, -rest.s_dual);
    return rest;
}

/* The dual quaternion a whose part orthogonal to b is sum_k w_k b log(b* q_k). The factors of a logarithm
 * depend only on the scalar part c + eps e of b* q_k. Therefore
 *
 *   a = sum_k w_k (f(c) + eps g(c) e) q_k.
 *
 * The kernel's variant determines the sign of each q_k. The signs shared by a joint set put its quaternions
 * into b's hemisphere. */
typedef struct DibSum {
    DualQuat a;
    Real missed; /* error bound of the short series for f and g, relative to the norm of b */
} DibSum;

/* Computes the sum for the current blend b. If `brief`, f and g are evaluated by their series about c
 * = 1. */
KERNEL_FUNCTION DibSum dib_sum(KERNEL_ARGUMENTS, int count, int variant, int brief, DualQuat b)
{
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat sum = quat_make(REAL(0.0), REAL(0.0), REAL(0.0), REAL(0.0));
    DibSum out;
    out.a.real = sum;
    out.a.dual = sum;
    out.missed = REAL(0.0);
    for (int k = 0; k < count; k++) {
        const DualQuat q = JOINT_DUAL_QUAT(k);
        if (k > 0)
            pivot = hemisphere_next(variant, pivot, sum);
        const Real sign = hemisphere_weight(variant, pivot, q.real, REAL(1.0)), weight = sign * WEIGHT(k);
        const Real c = sign * quat_dot(b.real, q.real), u = REAL(1.0) - c;
        const Real e = sign * (quat_dot(b.real, q.dual) + quat_dot(b.dual, q.real));
        const Quat off = quat_add_scaled(quat_scale(q.real, sign), b.real, -c);
        LogFactors log;
        if (brief) {
            log.f = REAL(1.0) + u * (REAL(0.333333333333) + u * REAL(0.133333333333));
            log.g = REAL(-0.333333333333) - u * REAL(0.266666666667);
            out.missed += REAL(0.4) * weight * u * u * (u + real_abs(e));
        } else {
            const Real squared = quat_dot(off, off);
            log = variant == HEMISPHERE_CHOSEN ? near_log_factors(c, squared) : log_factors(c, squared);
        }
        sum = quat_add_scaled(sum, q.real, weight);
        out.a = dual_quat_add_scaled(out.a, q, weight * log.f);
        out.a.dual = quat_add_scaled(out.a.dual, q.real, weight * log.g * e);
    }
    return out;
}

/* Returns the mean of two joints in closed form. One update from any point between them gives the mean (DQS
 * appendix B.1). Starting from the first joint, the mean is q_0 exp(w_1 log(q_0* q_1)). Only w_1 differs
 * between vertices of a joint set. */
KERNEL_FUNCTION DualQuat dib_pair(KERNEL_ARGUMENTS)
{
    const DualQuat p = JOINT_DUAL_QUAT(0), joint = JOINT_DUAL_QUAT(1);
    const RealCondition far =
        quat_dot(p.real, joint.real) < -HEMISPHERE_HALF_TURN; /* the second quaternion may be in the other
                                                                 hemisphere if a blend spans two joint sets */
    const DualQuat q = dual_quat_scale(joint, far ? REAL(-1.0) : REAL(1.0));
    const Real c = quat_dot(p.real, q.real), e = quat_dot(p.real, q.dual) + quat_dot(p.dual, q.real);
    const Quat off = quat_add_scaled(q.real, p.real, -c);
    const LogFactors log = near_log_factors(c, quat_dot(off, off));
    DualQuat a = dual_quat_scale(q, log.f);
    a.dual = quat_add_scaled(a.dual, q.real, log.g * e);
    const DualQuat x = dib_rest(a, p).x;
    const Real w = WEIGHT(1), lm = w * w * quat_dot(x.real, x.dual);
    const ExpFactors exp = near_exp_factors(w * w * quat_dot(x.real, x.real));
    DualQuat b = dual_quat_add_scaled(dual_quat_scale(p, exp.c), x, w * exp.f);
    b.dual = quat_add_scaled(quat_add_scaled(b.dual, p.real, -lm * exp.f), x.real, w * lm * exp.g);
    return b;
}

/* Updates the unit dual quaternion b to b + x, which equals b exp(x) up to third order. Within one
 * hemisphere, to first order, an update leaves at most 1 - s of x, because the Hessian of the mean is at
 * least s = sum_k w_k h_k cot(h_k). The precision is never finer than the rounding error of a mean. */
KERNEL_FUNCTION DibState dib_update(KERNEL_ARGUMENTS, int count, int variant, int brief, DibState state)
{
    const DualQuat b = dual_quat_normalize(state.blend);
    const DibSum sum = dib_sum(KERNEL_PASS, count, variant, brief, b);
    const DibRest rest = dib_rest(sum.a, b);
    const DualQuat next = dual_quat_add_scaled(b, rest.x, REAL(1.0));

    const Real precision = PARAMETER(DIB_PRECISION), rounding = REAL(8.0) * REAL_EPSILON;
    const Real size = REAL(1.0) + quat_dot(b.dual, b.dual);
    const Real least = precision * precision + rounding * rounding * size;
    const Real turn = quat_dot(rest.x.real, rest.x.real), left = REAL(1.0) - rest.s;
    const Real length = turn + quat_dot(rest.x.dual, rest.x.dual);
    const Real next_length = REAL(2.0) * (left * left * length + rest.s_dual * rest.s_dual * turn) +
                             size * sum.missed * sum.missed;
    const RealCondition moved = state.moves > REAL(0.0);
    state.blend.real = hemisphere_quat_select(moved, next.real, state.blend.real);
    state.blend.dual = hemisphere_quat_select(moved, next.dual, state.blend.dual);
    const RealCondition counts = moved && length >= least;
    const RealCondition last = variant == HEMISPHERE_CHOSEN && next_length < least;
    state.updates += counts ? REAL(1.0) : REAL(0.0);
    state.moves = moved && (brief || counts) && !last ? REAL(1.0) : REAL(0.0);
    return state;
}

/* Starts from DLB. Within one hemisphere, also makes a brief update, which is as accurate as a full one for
 * small angles. */
KERNEL_FUNCTION DibState dib_start(KERNEL_ARGUMENTS, int count, int variant)
{
    const int pair = variant == HEMISPHERE_CHOSEN && count == 2;
    DibState state;
    state.blend = pair ? dib_pair(KERNEL_PASS) : HEMISPHERE_DUAL_QUAT_BLEND(count, variant);
    state.moves = count > 1 && !pair ? REAL(1.0) : REAL(0.0);
    state.updates = pair ? REAL(1.0) : REAL(0.0);
    if (variant == HEMISPHERE_CHOSEN && count > 2)
        state = dib_update(KERNEL_PASS, count, variant, 1, state);
    return state;
}

KERNEL_FUNCTION DibState dib_step(KERNEL_ARGUMENTS, int count, int variant, DibState state)
{
    return dib_update(KERNEL_PASS, count, variant, 0, state);
}

KERNEL_FUNCTION SkinnedPoint dib_finish(KERNEL_ARGUMENTS, int count, int variant, DibState state,
                                        SkinnedPoint rest)
{
    (void)kernel_view;
    (void)count;
    (void)variant;
    return dual_quat_move(state.blend, rest);
}

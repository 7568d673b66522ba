/* Spherical blend skinning with the spherical weighted average of Buss and Fillmore (2001, algorithm A1)
 * instead of QLERP (SBS section 5). Starting from the normalised q = sum_k w_k q_k, the step
 *   x = sum_k w_k log(q* q_k),  q <- q exp(x)
 * is repeated until |x| is below a precision or a number of updates is reached. Then
 *   v' = Q (v - r) + sum_k w_k C_k r */
#define KERNEL_VARIANTS 5
#define KERNEL_MIXED_SET_VALUES 3
#define KERNEL_MIXED_SET_JOINTS 1

#include "methods/kernel/center.kernel.h"

#include "datasets/geometry/rigid_log.h"

enum {
    SPHERICAL_HEMISPHERE,
    SPHERICAL_CENTERS,
    SPHERICAL_CUT_OFF,
    SPHERICAL_LEAST_ANGLE,
    SPHERICAL_PRECISION,
    SPHERICAL_UPDATES,
    SPHERICAL_PARAMETER_COUNT
};

typedef struct SphericalState {
    Quat mean;
    Real moves; /* 1 while updates continue; 0 after an update below the precision */
} SphericalState;

#define KERNEL_ITERATES sbs_spherical_average
#define KERNEL_STATE SphericalState
#define KERNEL_STATE_VALUES(X)                                                                               \
    X(0, mean.w)                                                                                             \
    X(1, mean.x)                                                                                             \
    X(2, mean.y)                                                                                             \
    X(3, mean.z)                                                                                             \
    X(4, moves)
#define KERNEL_STEPS PARAMETER(SPHERICAL_UPDATES)

/* Computes log(q* q_k). The signs stored for a joint set move its quaternions to the mean's hemisphere. */
KERNEL_FUNCTION Vec3 spherical_log(int variant, Quat back, Quat q, Real sign)
{
    const Quat between = quat_mul(back, q);
    return variant == HEMISPHERE_CHOSEN ? quat_near_log(between) : quat_log(quat_scale(between, sign));
}

/* Computes sum_k w_k log(q* q_k). The sign of each q_k is chosen by the kernel's variant. */
KERNEL_FUNCTION Vec3 spherical_update(KERNEL_ARGUMENTS, int count, int variant, Quat mean)
{
    const Quat back = quat_conjugate(mean);
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat sum = quat_make(REAL(0.0), REAL(0.0), REAL(0.0), REAL(0.0));
    Vec3 update = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    for (int k = 0; k < count; k++) {
        const Quat q = JOINT_QUAT(k);
        if (k > 0)
            pivot = hemisphere_next(variant, pivot, sum);
        const Real sign = hemisphere_weight(variant, pivot, q, REAL(1.0));
        sum = quat_add_scaled(sum, q, sign * WEIGHT(k));
        update = vec3_add_scaled(update, spherical_log(variant, back, q, sign), WEIGHT(k));
    }
    return update;
}

KERNEL_FUNCTION SphericalState sbs_spherical_average_start(KERNEL_ARGUMENTS, int count, int variant)
{
    const Quat linear = HEMISPHERE_QUAT_BLEND(count, variant);
    SphericalState state;
    state.mean = quat_scale(linear, REAL(1.0) / real_sqrt(quat_dot(linear, linear)));
    state.moves = count > 1 ? REAL(1.0) : REAL(0.0);
    return state;
}

/* Updates the mean once. The precision is never finer than the rounding error of a mean. */
KERNEL_FUNCTION SphericalState sbs_spherical_average_step(KERNEL_ARGUMENTS, int count, int variant,
                                                          SphericalState state)
{
    const Real precision = PARAMETER(SPHERICAL_PRECISION), rounding = REAL(8.0) * REAL_EPSILON;
    const Vec3 update = spherical_update(KERNEL_PASS, count, variant, state.mean);
    const RealCondition moved = state.moves > REAL(0.0);
    const RealCondition moves = vec3_dot(update, update) >= precision * precision + rounding * rounding;
    const Quat next =
        quat_mul(state.mean, variant == HEMISPHERE_CHOSEN ? quat_near_exp(update) : quat_exp(update));
    state.mean = hemisphere_quat_select(moved, next, state.mean);
    state.moves = moved && moves ? REAL(1.0) : REAL(0.0);
    return state;
}

KERNEL_FUNCTION SkinnedPoint sbs_spherical_average_finish(KERNEL_ARGUMENTS, int count, int variant,
                                                          SphericalState state, SkinnedPoint rest)
{
    const Vec3 center = vec3_make(VERTEX_SET_VALUE(0), VERTEX_SET_VALUE(1), VERTEX_SET_VALUE(2));
    (void)variant;
    return CENTER_ROTATION(state.mean, count, center, rest);
}

/* Spherical blend skinning with Buss and Fillmore's spherical weighted average (2001, algorithm A1) in place
 * of QLERP (SBS section 5). From the normalised q = sum_k w_k q_k on,
 *   x = sum_k w_k log(q* q_k),  q <- q exp(x)
 * until |x| is below a precision or a number of updates is reached; then
 *   v' = Q (v - r) + sum_k w_k C_k r */
#define KERNEL_VARIANTS 5
#define KERNEL_ITERATES

#include "methods/backends/center.kernel.h"

#include "datasets/geometry/rigid_log.h"

enum SphericalParameter {
    SPHERICAL_HEMISPHERE,
    SPHERICAL_CENTERS,
    SPHERICAL_CUT_OFF,
    SPHERICAL_LEAST_ANGLE,
    SPHERICAL_PRECISION,
    SPHERICAL_UPDATES,
    SPHERICAL_PARAMETER_COUNT
};

typedef struct SphericalAverage {
    Quat mean;
    Real updates; /* of a length not below the precision */
} SphericalAverage;

/* sum_k w_k log(q* q_k), each q_k with the sign that the variant gives it. */
KERNEL_FUNCTION Vec3 spherical_step(KERNEL_ARGUMENTS, int count, int variant, Quat mean)
{
    const Quat back = quat_conjugate(mean);
    Quat pivot = hemisphere_pivot(KERNEL_PASS, count, variant);
    Quat sum = quat_make(REAL(0.0), REAL(0.0), REAL(0.0), REAL(0.0));
    Vec3 step = vec3_make(REAL(0.0), REAL(0.0), REAL(0.0));
    for (int k = 0; k < count; k++) {
        const Quat q = JOINT_QUAT(k);
        if (k > 0)
            pivot = hemisphere_next(variant, pivot, sum);
        const Real sign = hemisphere_weight(variant, pivot, q, REAL(1.0));
        sum = quat_add_scaled(sum, q, sign * WEIGHT(k));
        step = vec3_add_scaled(step, quat_log(quat_scale(quat_mul(back, q), sign)), WEIGHT(k));
    }
    return step;
}

KERNEL_FUNCTION SphericalAverage spherical_average(KERNEL_ARGUMENTS, int count, int variant)
{
    const Real precision = PARAMETER(SPHERICAL_PRECISION);
    const int most = (int)PARAMETER(SPHERICAL_UPDATES);
    const Quat linear = HEMISPHERE_QUAT_BLEND(count, variant);
    SphericalAverage result;
    result.mean = quat_scale(linear, REAL(1.0) / real_sqrt(quat_dot(linear, linear)));
    result.updates = REAL(0.0);
    for (int update = 0; update < most; update++) {
        const Vec3 step = spherical_step(KERNEL_PASS, count, variant, result.mean);
        const int moves = vec3_dot(step, step) >= precision * precision;
        result.mean = hemisphere_quat_select(moves, quat_mul(result.mean, quat_exp(step)), result.mean);
        result.updates += moves ? REAL(1.0) : REAL(0.0);
        if (!moves)
            break;
    }
    return result;
}

KERNEL_FUNCTION SkinnedPoint sbs_spherical_average_vertex(KERNEL_ARGUMENTS, int count, int variant,
                                                          SkinnedPoint rest)
{
    const Vec3 center = vec3_make(SET_VALUE(0), SET_VALUE(1), SET_VALUE(2));
    const SphericalAverage average = spherical_average(KERNEL_PASS, count, variant);
    return CENTER_ROTATION(average.mean, count, center, rest);
}

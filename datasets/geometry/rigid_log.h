/* Logarithms and exponentials of unit quaternions and unit dual quaternions (DQS appendix A.4). A logarithm
 * has no scalar part: l is half the rotation angle times the axis, and m is the dual part. Written in the
 * common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_GEOMETRY_RIGID_LOG_H
#define SKINBENCH_GEOMETRY_RIGID_LOG_H

#include "datasets/geometry/angles.h"
#include "datasets/geometry/dual_quat.h"

typedef struct RigidLog {
    Vec3 l, m;
} RigidLog;

/* Below this squared length, quotients of vanishing numbers are replaced by their limits at 0. The
 * quotients are multiplied by equally small factors, so no accuracy is lost in float. */
#define RIGID_LOG_SMALL REAL(1e-14)

/* Returns the logarithm of a unit quaternion. The angle is between 0 and pi for either sign of q. Returns 0
 * for q = -1, which has no logarithm without a scalar part. */
KERNEL_FUNCTION Vec3 quat_log(Quat q)
{
    const Vec3 d = quat_vector(q);
    const Real squared = vec3_dot(d, d), s = real_sqrt(squared);
    const Real f = squared > RIGID_LOG_SMALL ? real_angle(s, q.w) / s
                   : q.w > REAL(0.0)         ? REAL(1.0)
                                             : REAL(0.0);
    return vec3_scale(d, f);
}

KERNEL_FUNCTION Quat quat_exp(Vec3 l)
{
    const Real squared = vec3_dot(l, l), h = real_sqrt(squared);
    const Real f = squared > RIGID_LOG_SMALL ? real_sin(h) / h : REAL(1.0);
    return quat_make(real_cos(h), f * l.x, f * l.y, f * l.z);
}

/* The squared sine of half a degree. Closer to a full turn, the screw axis goes to infinity. */
#define RIGID_LOG_FULL_TURN REAL(7.6e-5)

/* Factors f and g that turn a unit dual quaternion q with scalar part w + eps e into its logarithm, the
 * vector part of (f + eps g e) q. */
typedef struct LogFactors {
    Real f, g;
} LogFactors;

/* Returns the factors for the scalar part w and the squared length of the vector part. If q = cos(h) + s
 * sin(h), where h and s are dual, then log q = s h. This logarithm is unbounded near q = -1, where it has
 * no limit. Within a degree of a full turn, the result is therefore the logarithm of -q, which is the same
 * motion without the turn. */
KERNEL_FUNCTION LogFactors log_factors(Real w, Real squared)
{
    const Real s = real_sqrt(squared);
    const Real sign = w < REAL(0.0) && squared < RIGID_LOG_FULL_TURN ? REAL(-1.0) : REAL(1.0);
    const RealCondition small = squared <= RIGID_LOG_SMALL;
    const Real f = small ? REAL(1.0) : real_angle(s, sign * w) / s;
    LogFactors factors;
    factors.f = sign * f;
    factors.g = small ? REAL(-0.333333333333) : (f * sign * w - REAL(1.0)) / squared;
    return factors;
}

KERNEL_FUNCTION RigidLog dual_quat_log(DualQuat q)
{
    const Vec3 d = quat_vector(q.real);
    const LogFactors factors = log_factors(q.real.w, vec3_dot(d, d));
    RigidLog log;
    log.l = vec3_scale(d, factors.f);
    log.m = vec3_add_scaled(vec3_scale(quat_vector(q.dual), factors.f), d, q.dual.w * factors.g);
    return log;
}

/* Factors of the exponential, for y = h^2 = |l|^2:
 *
 *   c = cos(h), f = sin(h) / h, g = (cos(h) - sin(h) / h) / h^2 */
typedef struct ExpFactors {
    Real c, f, g;
} ExpFactors;

KERNEL_FUNCTION ExpFactors exp_factors(Real y)
{
    const Real h = real_sqrt(y);
    const RealCondition small = y <= RIGID_LOG_SMALL;
    ExpFactors factors;
    factors.c = real_cos(h);
    factors.f = small ? REAL(1.0) : real_sin(h) / h;
    factors.g = small ? REAL(-0.333333333333) : (factors.c - factors.f) / y;
    return factors;
}

KERNEL_FUNCTION DualQuat dual_quat_exp(RigidLog log)
{
    const Real lm = vec3_dot(log.l, log.m);
    const ExpFactors exp = exp_factors(vec3_dot(log.l, log.l));
    const Vec3 dual = vec3_add_scaled(vec3_scale(log.m, exp.f), log.l, lm * exp.g);
    DualQuat q;
    q.real = quat_make(exp.c, exp.f * log.l.x, exp.f * log.l.y, exp.f * log.l.z);
    q.dual = quat_make(-lm * exp.f, dual.x, dual.y, dual.z);
    return q;
}

/* Returns the product of two dual quaternions: the motion b followed by the motion a. */
KERNEL_FUNCTION DualQuat dual_quat_mul(DualQuat a, DualQuat b)
{
    DualQuat result;
    result.real = quat_mul(a.real, b.real);
    result.dual = quat_add_scaled(quat_mul(a.real, b.dual), quat_mul(a.dual, b.real), REAL(1.0));
    return result;
}

/* Returns the inverse of a unit dual quaternion. */
KERNEL_FUNCTION DualQuat dual_quat_conjugate(DualQuat a)
{
    DualQuat result;
    result.real = quat_conjugate(a.real);
    result.dual = quat_conjugate(a.dual);
    return result;
}

/* Returns the nearest unit dual quaternion (DQS section 4): scales `a` and makes its dual part orthogonal
 * to its real part. */
KERNEL_FUNCTION DualQuat dual_quat_normalize(DualQuat a)
{
    const Real squared = quat_dot(a.real, a.real), scale = REAL(1.0) / real_sqrt(squared);
    DualQuat result;
    result.real = quat_scale(a.real, scale);
    result.dual = quat_scale(quat_add_scaled(a.dual, a.real, -quat_dot(a.real, a.dual) / squared), scale);
    return result;
}

/* Functions for small angles: logarithms of quaternions with w >= 0 (half angles up to a quarter turn), and
 * exponentials of means of such logarithms. In float they are polynomials without quotients or roots. Their
 * errors are below 3e-7, even slightly outside that range. In double they call the functions above. */
#if REAL_IS_FLOAT

/* Returns a / sin(a) for w = cos(a). The polynomial interpolates at Chebyshev nodes, like the polynomials
 * below. */
KERNEL_FUNCTION Real near_log_factor(Real w)
{
    const Real u = REAL(1.0) - w;
    const Real high = REAL(0.0336097609) +
                      u * (REAL(-0.040031989) +
                           u * (REAL(0.0578250657) + u * (REAL(-0.0364761399) + u * REAL(0.0120765745))));
    return REAL(0.999999986) +
           u * (REAL(0.333335982) +
                u * (REAL(0.133248708) + u * (REAL(0.0581799722) + u * (REAL(0.0190284303) + u * high))));
}

/* Returns (a cos(a) / sin(a) - 1) / sin(a)^2. */
KERNEL_FUNCTION Real near_log_slope(Real w)
{
    const Real u = REAL(1.0) - w;
    const Real high = REAL(-0.191309507) +
                      u * (REAL(0.308407379) +
                           u * (REAL(-0.403760502) + u * (REAL(0.260048544) + u * REAL(-0.0818697724))));
    return REAL(-0.333333235) +
           u * (REAL(-0.266685963) +
                u * (REAL(-0.170812598) + u * (REAL(-0.109123848) + u * (REAL(-0.0115606916) + u * high))));
}

/* Computes sin(h) / h, cos(h) and (cos(h) - sin(h) / h) / h^2, where y = h^2. */
KERNEL_FUNCTION Real near_sinc(Real y)
{
    return REAL(0.999999994) +
           y * (REAL(-0.166666559) +
                y * (REAL(0.00833300269) + y * (REAL(-0.000198055228) + y * REAL(2.59723078e-06))));
}

KERNEL_FUNCTION Real near_cos(Real y)
{
    return REAL(0.999999939) +
           y * (REAL(-0.499998829) +
                y * (REAL(0.0416630558) + y * (REAL(-0.00138498221) + y * REAL(2.30666062e-05))));
}

KERNEL_FUNCTION Real near_exp_slope(Real y)
{
    return REAL(-0.333333333) +
           y * (REAL(0.033333325) +
                y * (REAL(-0.00119045062) + y * (REAL(2.20182264e-05) + y * REAL(-2.38284765e-07))));
}

KERNEL_FUNCTION Vec3 quat_near_log(Quat q)
{
    return vec3_scale(quat_vector(q), near_log_factor(q.w));
}

KERNEL_FUNCTION Quat quat_near_exp(Vec3 l)
{
    const Real y = vec3_dot(l, l), f = near_sinc(y);
    return quat_make(near_cos(y), f * l.x, f * l.y, f * l.z);
}

KERNEL_FUNCTION LogFactors near_log_factors(Real w, Real squared)
{
    (void)squared;
    LogFactors factors;
    factors.f = near_log_factor(w);
    factors.g = near_log_slope(w);
    return factors;
}

KERNEL_FUNCTION ExpFactors near_exp_factors(Real y)
{
    ExpFactors factors;
    factors.c = near_cos(y);
    factors.f = near_sinc(y);
    factors.g = near_exp_slope(y);
    return factors;
}

#else

KERNEL_FUNCTION Vec3 quat_near_log(Quat q)
{
    return quat_log(q);
}

KERNEL_FUNCTION Quat quat_near_exp(Vec3 l)
{
    return quat_exp(l);
}

KERNEL_FUNCTION LogFactors near_log_factors(Real w, Real squared)
{
    return log_factors(w, squared);
}

KERNEL_FUNCTION ExpFactors near_exp_factors(Real y)
{
    return exp_factors(y);
}

#endif

#endif

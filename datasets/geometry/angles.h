/* Trigonometry for kernels. In double, these are the functions of the C library. In float, on every
 * backend, they are polynomials with range reduction and without branches, so that compilers can vectorise
 * a loop over vertices. Absolute errors are below 2e-7 for arguments within a few turns. Written in the
 * common subset of C11, OpenCL C and CUDA C. */
#ifndef SKINBENCH_GEOMETRY_ANGLES_H
#define SKINBENCH_GEOMETRY_ANGLES_H

#include "datasets/geometry/dialect.h"

#if REAL_IS_FLOAT

/* Returns sin(x). Subtracts a multiple of pi, which is given in two parts for accuracy, and evaluates an
 * odd polynomial on the half turn around 0. */
KERNEL_FUNCTION Real real_sin(Real x)
{
    const Real k = real_floor(x * REAL(0.318309886) + REAL(0.5));
    const Real r = (x - k * REAL(3.140625)) - k * REAL(9.67653589793e-4);
    const Real odd = k - REAL(2.0) * real_floor(k * REAL(0.5));
    const Real y = r * r;
    const Real p =
        r + r * y *
                (REAL(-1.6666667e-1) +
                 y * (REAL(8.3333333e-3) +
                      y * (REAL(-1.9841270e-4) +
                           y * (REAL(2.7557319e-6) + y * (REAL(-2.5052108e-8) + y * REAL(1.6059044e-10))))));
    return p - REAL(2.0) * odd * p;
}

KERNEL_FUNCTION Real real_cos(Real x)
{
    return real_sin(REAL(1.57079632679) - real_abs(x));
}

/* Returns the angle of the point (x, y), from 0 to pi; y must not be negative (Abramowitz and Stegun
 * 4.4.49). */
KERNEL_FUNCTION Real real_angle(Real y, Real x)
{
    const Real far = real_abs(x);
    const Real low = far < y ? far : y, high = far < y ? y : far;
    const Real z = low / (high > REAL(0.0) ? high : REAL(1.0)), s = z * z;
    const Real a =
        z * (REAL(1.0) + s * (REAL(-.3333314528) +
                              s * (REAL(.1999355085) +
                                   s * (REAL(-.1420889944) +
                                        s * (REAL(.1065626393) +
                                             s * (REAL(-.0752896400) +
                                                  s * (REAL(.0429096138) + s * (REAL(-.0161657367) +
                                                                                s * REAL(.0028662257)))))))));
    const Real first = far < y ? REAL(1.57079632679) - a : a;
    return x < REAL(0.0) ? REAL(3.14159265359) - first : first;
}

#else

static const double PI = 3.14159265358979323846;

#define real_sin(x) sin(x)
#define real_cos(x) cos(x)
#define real_angle(y, x) atan2((y), (x))

#endif

#endif

/* Sines for motions that are integrated over many steps, which would amplify differences between C
 * libraries in the last bit. They use only + - * and floor, so they are the same on every machine. */
#pragma once

#include <math.h>

/* Sine of a number of whole turns, accurate to 1e-11: a Taylor series on a quarter turn to either side. */
static inline double wave_sine(double turns)
{
    double x = turns - floor(turns + 0.5);
    x = x > 0.25 ? 0.5 - x : x < -0.25 ? -0.5 - x : x;
    const double a = 6.28318530717958647693 * x, y = -a * a;
    double sum = 1.0;
    for (int i = 16; i > 0; i -= 2)
        sum = 1.0 + sum * y / (i * (i + 1));
    return a * sum;
}

static inline double wave_cosine(double turns)
{
    return wave_sine(turns + 0.25);
}

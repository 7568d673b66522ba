/* A sine whose values are the same on every machine, because it uses only + - * and floor. It is meant for
 * motions that are integrated over many steps. Such motions would amplify last-bit differences between C
 * libraries. */
#pragma once

#include <math.h>

/* Returns the sine of an angle in whole turns, accurate to 1e-11. Uses a Taylor series within a quarter
 * turn of 0. */
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

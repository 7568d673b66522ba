/* Steps that generators share. */
#pragma once

#include "datasets/model/dataset.h"

/* Makes the animation: the linear blend of the rig in every frame. */
Status generate_blend(const Progress *progress, Dataset *dataset);

/* Returns 0 for x <= 0, 1 for x >= 1, and 3 x^2 - 2 x^3 in between. */
static inline double smooth_step(double x)
{
    x = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return x * x * (3.0 - 2.0 * x);
}

/* Returns the sine of an angle in whole turns, accurate to 1e-11, by a Taylor series within a quarter turn of
 * 0. It uses only + - * and floor, and is the same on every machine. Motions that are integrated over many
 * steps would amplify last-bit differences between C libraries. */
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

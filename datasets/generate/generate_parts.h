/* Steps that generators share. */
#pragma once

#include "datasets/model/dataset.h"

/* Reports what a generator is doing and the share done, 0 to 1. STATUS_STOPPED if it is asked to stop. */
Status generate_report(const Progress *progress, const char *what, double share);

/* Sets the animation to the linear blend of every frame of the rig. */
Status generate_blend(const Progress *progress, Dataset *dataset);

/* 0 for x <= 0, 1 for x >= 1, and 3 x^2 - 2 x^3 in between. */
static inline double smooth_step(double x)
{
    x = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return x * x * (3.0 - 2.0 * x);
}

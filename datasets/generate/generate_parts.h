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

/* Steps that generators share. */
#pragma once

#include "datasets/model/dataset.h"

/* Reports what a generator is at and the share done, 0 to 1. STATUS_STOPPED when it is asked to stop. */
Status generate_report(const Progress *progress, const char *what, double share);

/* Gives the data set the linear blend of every frame of its rig as its animation. */
Status generate_blend(const Progress *progress, Dataset *dataset);

/* 0 up to 0, 1 from 1 on, smooth between: 3 x^2 - 2 x^3. */
static inline double smooth_step(double x)
{
    x = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return x * x * (3.0 - 2.0 * x);
}

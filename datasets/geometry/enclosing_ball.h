/* The exact smallest ball around points, in double, by farthest-point pivoting (Gaertner 1999, "Fast and
 * robust smallest enclosing balls"). The ball of at most four support points grows to include the farthest
 * point outside, until no point is outside. Every subset of the support and the new point is tried, so
 * cospherical, coplanar and repeated points need no tolerance. */
#pragma once

#include "datasets/base/status.h"

typedef struct Ball {
    double center[3];
    double radius;
} Ball;

/* Finds the smallest ball around points [count][3], count >= 1. The radius is 0 if all points are equal.
 * The result is deterministic. No point is farther from the centre than the radius, in spite of rounding.
 * STATUS_BAD_INPUT if a point is not finite (the message names it), STATUS_USAGE if count is below 1. */
Status enclosing_ball(const float *points, int count, Ball *out);

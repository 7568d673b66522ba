/* The exact smallest ball around points, in double. Gaertner's farthest-point pivoting ("Fast and robust
 * smallest enclosing balls", 1999): the ball of at most four support points grows to include the farthest
 * point outside until there is none. Every subset of support and new point is tried, so cospherical,
 * coplanar and repeated points need no tolerance. */
#ifndef SKINBENCH_GEOMETRY_ENCLOSING_BALL_H
#define SKINBENCH_GEOMETRY_ENCLOSING_BALL_H

#include "datasets/base/status.h"

typedef struct Ball {
    double center[3];
    double radius;
} Ball;

/* Finds the ball around points [count][3], count >= 1. The radius is 0 if all points are equal.
 * Deterministic. No point is farther from the centre than the radius, rounding included. STATUS_BAD_INPUT
 * names a point that is not finite; STATUS_USAGE if count is below 1. */
Status enclosing_ball(const float *points, int count, Ball *out);

#endif

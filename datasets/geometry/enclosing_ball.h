/* The exact smallest ball around points, in double. Gaertner's farthest-point pivoting ("Fast and robust
 * smallest enclosing balls", 1999): the ball of at most four support points grows by the farthest point
 * outside until there is none. The ball of support and newcomer is found by trying every subset, so that
 * cospherical, coplanar and repeated points need no tolerance. */
#ifndef SKINBENCH_GEOMETRY_ENCLOSING_BALL_H
#define SKINBENCH_GEOMETRY_ENCLOSING_BALL_H

#include "datasets/base/status.h"

typedef struct Ball {
    double center[3];
    double radius;
} Ball;

/* points [count][3]; count >= 1. A single point, or all the same, gives radius 0. Deterministic. No point is
 * farther from the center than the radius, rounding included. STATUS_BAD_INPUT names a point that is not
 * finite, STATUS_USAGE is for a count below 1. */
Status enclosing_ball(const float *points, int count, Ball *out);

#endif

/* The exact smallest ball around points (Welzl's algorithm in Gaertner's move-to-front form), in double. */
#ifndef SKINBENCH_GEOMETRY_ENCLOSING_BALL_H
#define SKINBENCH_GEOMETRY_ENCLOSING_BALL_H

#include "datasets/base/status.h"

typedef struct Ball {
    double center[3];
    double radius;
} Ball;

/* points [count][3]; count >= 1. A single point, or all the same, gives radius 0. Deterministic. */
Status enclosing_ball(const float *points, int count, Ball *out);

#endif

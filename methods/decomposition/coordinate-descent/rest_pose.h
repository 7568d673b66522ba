/* The rest pose of a vertex under given transformations and weights (FESAM section 4.3). */
#ifndef SKINBENCH_COORDINATE_DESCENT_REST_POSE_H
#define SKINBENCH_COORDINATE_DESCENT_REST_POSE_H

#include "methods/decomposition/coordinate-descent/bone_pairs.h"

/* Moves v to the minimum of ||Lambda v - Gamma||^2: the 3 x 3 normal equations are sums of forms and h over
 * the `count` influences. Where they are singular the pseudoinverse is applied to the step, so that v keeps
 * what the animation says nothing about. Returns 1 when that fallback was taken, else 0. */
int rest_pose_solve(const VertexProblem *problem, int count, const int32_t *bones, const double *weights,
                    double v[3]);

#endif

/* The point of a simplex nearest to a target, exactly: FESAM section 4.4 for tetrahedra, here for up to eight
 * corners by an active-set method on their Gram matrix. */
#ifndef SKINBENCH_COORDINATE_DESCENT_SIMPLEX_H
#define SKINBENCH_COORDINATE_DESCENT_SIMPLEX_H

enum { SIMPLEX_CORNERS_MAX = 8 };

/* Minimises ||sum_k w_k phi_k - y||^2 subject to w >= 0, sum w = 1.
 *   count     1 to SIMPLEX_CORNERS_MAX
 *   gram      [count][count] row by row with stride SIMPLEX_CORNERS_MAX: (phi_k - y) . (phi_l - y)
 *   weights   [count] out: convex, zero on the corners that take no part
 * Returns the least squared distance, w^T gram w. Corners may coincide or depend on each other: the distance
 * is still the least, the weights are one of the solutions. Works by Wolfe's nearest-point method (1976): a
 * finite number of faces, each solved exactly. */
double simplex_nearest(int count, const double *gram, double *weights);

/* The same from where `weights`, convex, stand: corners with `tried` set take part from the start. Quicker
 * where the answer is near. Where those corners depend on each other it starts afresh. */
double simplex_improve(int count, const double *gram, unsigned tried, double *weights);

#endif

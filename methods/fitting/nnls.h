/* Skinning weights of one vertex by non-negative least squares. The sum of the weights is a soft constraint
 * (James and Twigg 2005, section 3.3). The solver is the active-set algorithm of Lawson and Hanson, chapter
 * 23. */
#pragma once

#include "methods/fitting/linear_blend.h"

enum { NNLS_UNKNOWNS_MAX = FIT_INFLUENCES_MAX };

/* Minimises ||sum_k w_k phi_k - y||^2 + penalty (sum_k w_k - 1)^2 subject to w >= 0, for 1 to
 * NNLS_UNKNOWNS_MAX weights [count]. gram [count][count] holds the products phi_k . phi_l, and products
 * [count] holds phi_k . y. If a phi_k depends linearly, up to rounding, on others with positive weights,
 * its weight is 0. */
void nnls_solve(int count, const double *gram, const double *products, double penalty, double *weights);

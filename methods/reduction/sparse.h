/* Sparse factorisation for the decomposition methods, by CHOLMOD. As in dense.h, linear_algebra_serialize
 * sets the number of threads. */
#pragma once

#include "datasets/base/base.h"

/* Solves S X = R in place like dense_solve (dense.h), but reads only the non-zeros of S.
 *   matrix     [n][n] symmetric positive semidefinite, lower triangle; unchanged;
 *   right      [n][k] by rows: R on entry, X on return; unchanged if S is singular;
 *   *singular  whether S is singular up to rounding; if it is, nothing is solved. */
Status sparse_solve(const double *matrix, int n, double *right, int k, bool *singular);

/* Returns whether S is so large and so sparse that sparse_solve is faster than dense_solve. */
bool sparse_pays(const double *matrix, int n);

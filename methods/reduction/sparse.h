/* The sparse factorisation the decomposition methods need, over CHOLMOD. Threads as in dense.h. */
#pragma once

#include "datasets/base/base.h"

/* Solves S X = R in place as dense_solve does (dense.h), through the non-zeros of S alone.
 *   matrix    [n][n] symmetric positive semidefinite, lower triangle; zeros are left out; kept
 *   right     [n][k] row by row; untouched where S is singular
 *   *singular whether S is singular to rounding: then nothing is solved */
Status sparse_solve(const double *matrix, int n, double *right, int k, bool *singular);

/* Whether S is so large and has so few non-zeros in its lower triangle that sparse_solve is the quicker. */
bool sparse_pays(const double *matrix, int n);

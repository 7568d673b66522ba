/* Sparse least squares without normal equations: LSQR (Paige and Saunders 1982), the solver used by SAD's
 * authors. */
#pragma once

/* Sparse matrix A stored by rows. The values of row r have indices first[r] to first[r + 1] - 1. */
typedef struct SparseRows {
    int row_count, unknown_count;
    const int *first, *unknowns;
    const double *values;
} SparseRows;

/* Minimises ||A x - b||; among several minima, finds the shortest x. Stops when the residual r is below
 * `tolerance` times ||b||, when the gradient is below `tolerance` times ||A|| ||r||, or after 4
 * unknown_count steps. Returns the number of steps.
 *   b     [row_count], overwritten;
 *   x     [unknown_count], the result;
 *   work  [2 unknown_count], workspace. */
int lsqr_solve(const SparseRows *a, double tolerance, double *b, double *x, double *work);

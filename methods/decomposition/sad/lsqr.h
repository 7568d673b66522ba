/* Sparse least squares without normal equations (Paige and Saunders 1982, LSQR), the solver of SAD's authors.
 */
#pragma once

/* The transpose of A by columns: row r of A has the values first[r] to first[r + 1] - 1. */
typedef struct SparseRows {
    int row_count, unknown_count;
    const int *first, *unknowns;
    const double *values;
} SparseRows;

/* Minimises ||A x - b||; of several minima the shortest x. Ends where the residual or its gradient is
 * `tolerance` of b or of ||A|| ||r||, or after 4 unknown_count steps. Returns the steps.
 *   b     [row_count] overwritten      x     [unknown_count] out      work  [2 unknown_count] scratch */
int lsqr_solve(const SparseRows *a, double tolerance, double *b, double *x, double *work);

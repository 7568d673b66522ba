/* Sparse symmetric positive definite systems, factored once by CHOLMOD and solved many times. */
#pragma once

#include "datasets/base/memory.h"
#include <stdbool.h>

typedef struct SparseEntry {
    int row, column; /* row >= column, because only the lower triangle and the diagonal are given */
    double value;
} SparseEntry;

typedef enum SparseKind {
    SPARSE_REPEATABLE, /* uses plain loops in a fixed order; gives the same bits for any number of threads and
                          any BLAS */
    SPARSE_FAST        /* uses dense blocks with BLAS if that is faster */
} SparseKind;

typedef struct SparseCholesky SparseCholesky;

/* Factors the matrix [n][n] that is the sum of the entries [count]. Entries may repeat and be in any order.
 * An approximate minimum degree ordering keeps fill-in low. If the matrix is not positive definite, or is
 * singular up to rounding, returns STATUS_OK and sets *out to NULL; the caller must handle this case.
 * STATUS_SYSTEM if out of memory. Release with sparse_cholesky_free, which accepts NULL. */
Status sparse_cholesky_factor(int n, size_t count, const SparseEntry *entries, SparseKind kind,
                              SparseCholesky **out);
void sparse_cholesky_free(SparseCholesky *factor);
DEFINE_OWNED_BY(SparseCholesky, sparse_cholesky_free)

/* Solves A X = B in place: x [n][columns], row by row, is B on entry and X on return. Two threads must not
 * use the same factor at the same time. STATUS_SYSTEM if out of memory. */
Status sparse_cholesky_solve(SparseCholesky *factor, double *x, int columns);

/* Replaces x [n][columns] by A^-1 D x and repeats this `times` times, where D is the diagonal matrix
 * `diagonal` [n]. Uses plain loops. The factor must be SPARSE_REPEATABLE. Columns are independent of each
 * other, and several threads may share the factor. */
Status sparse_cholesky_smooth(const SparseCholesky *factor, const double *diagonal, int times, int columns,
                              double *x);

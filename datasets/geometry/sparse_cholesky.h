/* Sparse symmetric positive definite systems, factored once and solved many times, over CHOLMOD. */
#ifndef SKINBENCH_GEOMETRY_SPARSE_CHOLESKY_H
#define SKINBENCH_GEOMETRY_SPARSE_CHOLESKY_H

#include "datasets/base/memory.h"
#include <stdbool.h>

typedef struct SparseEntry {
    int row, column; /* row >= column: the lower triangle, diagonal included */
    double value;
} SparseEntry;

typedef enum SparseKind {
    SPARSE_REPEATABLE, /* plain loops in a fixed order: the same bits with any number of threads and any BLAS
                        */
    SPARSE_FAST        /* dense blocks through BLAS where they pay */
} SparseKind;

typedef struct SparseCholesky SparseCholesky;

/* Factors the matrix [n][n] that the entries [count] add up to; they may repeat and stand in any order.
 * Fill-in is kept low by an approximate minimum degree ordering. STATUS_SYSTEM when out of memory. Where
 * the matrix is not positive definite, or singular to rounding, *out is NULL with STATUS_OK, as what that
 * means is the caller's to say. Release with sparse_cholesky_free (NULL is allowed). */
Status sparse_cholesky_factor(int n, size_t count, const SparseEntry *entries, SparseKind kind,
                              SparseCholesky **out);
void sparse_cholesky_free(SparseCholesky *factor);
DEFINE_OWNED_BY(SparseCholesky, sparse_cholesky_free)

/* Solves A X = B in place: x [n][columns] row by row, B before and X after the call. Not for two threads with
 * one factor at once. STATUS_SYSTEM when out of memory. */
Status sparse_cholesky_solve(SparseCholesky *factor, double *x, int columns);

/* x <- A^-1 D x, `times` times, for x [n][columns] and the diagonal D [n], in plain loops: of a factor
 * that is SPARSE_REPEATABLE. Columns do not touch each other, and several threads may share the factor. */
Status sparse_cholesky_smooth(const SparseCholesky *factor, const double *diagonal, int times, int columns,
                              double *x);

#endif

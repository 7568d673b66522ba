/* The dense products and factorisations the decomposition methods need, over BLAS and LAPACK. Matrices are
 * row by row. They run on the threads that linear_algebra_serialize leaves them: within a fit or a reduction,
 * the calling one. */
#pragma once

#include "datasets/base/base.h"

/* Eigenvalues and the leading eigenvectors of a symmetric matrix.
 *   matrix   [n][n] lower triangle; destroyed
 *   values   [n] on return all eigenvalues, greatest first
 *   choose   says from them how many vectors are wanted (1 to n)
 *   *vectors on return [count][n], unit, greatest eigenvalue first; release with memory_free */
typedef int (*DenseChoice)(const double *values, int n, const void *context);
Status dense_eigen(double *matrix, int n, double *values, DenseChoice choose, const void *context, int *count,
                   double **vectors);

/* Orthonormalises the rows of `rows` [count][n], count <= n, in place (Householder QR). A row that depends on
 * those before it is replaced by some direction orthogonal to all. */
Status dense_orthonormalize(double *rows, int count, int n);

/* The count leading left singular vectors of a matrix by dgesdd.
 *   columns [m][n] the matrix, a column of length n lying together; destroyed
 *   choose  as above, from the squares of the singular values (min(m, n) of them)
 *   *vectors on return [count][n] */
Status dense_singular(double *columns, int m, int n, DenseChoice choose, const void *context, int *count,
                      double **vectors);

/* Solves S X = R in place for X, S [n][n] symmetric positive semidefinite (lower triangle, destroyed), R
 * [n][k]. Where the Cholesky factor does not exist, or S is singular to rounding, the pseudoinverse by
 * eigen-decomposition is used and *singular set. */
Status dense_solve(double *matrix, int n, double *right, int k, bool *singular);

/* The inverse [n][n] of a matrix [n][n], by singular values: the pseudoinverse where it has none. */
Status dense_inverse(int n, const double *matrix, double *inverse);

/* Makes the calling thread's linear algebra run on that thread alone, so that its rounding never depends on a
 * number of threads. Returns the setting as it was, for linear_algebra_set_threads. Calls may be nested.
 * The setting is the process's: OpenMP's default team size, and OpenBLAS's own. Nothing else changes it. */
int linear_algebra_serialize(void);
void linear_algebra_set_threads(int threads);
void linear_algebra_restore(const int *threads); /* the same, for CLEANUP */

/* Entry (i, k) of a matrix is values[i * row_step + k * column_step]; one of the steps is 1. A view: owns
 * nothing. */
typedef struct MatrixView {
    const double *values;
    ptrdiff_t row_step, column_step;
} MatrixView;

/* A matrix whose rows lie together, `width` numbers from one to the next; the transpose of such a one. */
static inline MatrixView matrix_by_rows(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, width, 1};
}

static inline MatrixView matrix_transposed(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, 1, width};
}

/* result = keep * result + factor * left right: left [rows][inner], right [inner][columns], result
 * [rows][columns] with `width` numbers from one row to the next. keep 0 reads nothing of result. */
void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width);

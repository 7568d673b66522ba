/* Dense products and factorisations for decomposition methods, by BLAS and LAPACK. Matrices are stored by
 * rows. The functions use the number of threads set by linear_algebra_serialize. In a fit or a reduction,
 * this is the calling thread alone. */
#pragma once

#include "datasets/base/base.h"

/* Computes eigenvalues and the leading eigenvectors of a symmetric matrix.
 *   matrix    [n][n], lower triangle; its content is destroyed;
 *   values    [n], on return all eigenvalues, largest first;
 *   choose    returns the number of vectors wanted (1 to n), given the eigenvalues;
 *   *vectors  [count][n], on return unit eigenvectors, largest eigenvalue first; release with memory_free */
typedef int (*DenseChoice)(const double *values, int n, const void *context);
Status dense_eigen(double *matrix, int n, double *values, DenseChoice choose, const void *context, int *count,
                   double **vectors);

/* Chooses how many leading directions to keep: as few as possible, so that the squared singular values left
 * out sum to at most `allowed`. */
typedef struct TailRule {
    double allowed;
    double
        floor; /* fraction of the largest value; values below it count as rounding errors and are left out */
    int dimension_max; /* 0: no limit */
} TailRule;

/* DenseChoice whose context is a TailRule: returns the number of directions to keep. */
int tail_rule_choose(const double *values, int n, const void *context);

/* Orthonormalises `rows` [count][n], count <= n, in place (Householder QR). A row that depends on earlier
 * rows is replaced by an arbitrary direction orthogonal to all rows. */
Status dense_orthonormalize(double *rows, int count, int n);

/* Computes the leading left singular vectors of a matrix with dgesdd.
 *   columns   [m][n], the matrix, each column of length n contiguous; its content is destroyed;
 *   choose    as for dense_eigen, given the squares of the min(m, n) singular values;
 *   *vectors  [count][n], on return the singular vectors. */
Status dense_singular(double *columns, int m, int n, DenseChoice choose, const void *context, int *count,
                      double **vectors);

/* Solves S X = R in place for X, where S [n][n] is symmetric positive semidefinite (lower triangle,
 * destroyed) and R is [n][k]. If S is singular up to rounding, uses the pseudoinverse by eigendecomposition
 * and sets *singular. */
Status dense_solve(double *matrix, int n, double *right, int k, bool *singular);

/* Replaces matrix [n][n] by its inverse, computed from its singular values. If the matrix is singular,
 * computes the pseudoinverse. */
Status dense_inverse(int n, const double *matrix, double *inverse);

/* Restricts the calling thread's linear algebra to this thread, so that rounding never depends on the
 * number of threads. Returns the previous setting, which the caller passes to linear_algebra_set_threads.
 * Calls may be nested. The setting consists of OpenMP's default team size and OpenBLAS's number of threads;
 * nothing else changes it. */
int linear_algebra_serialize(void);
void linear_algebra_set_threads(int threads);
void linear_algebra_restore(const int *threads); /* calls linear_algebra_set_threads; meant for CLEANUP */

/* A view of a matrix, which owns nothing. Entry (i, k) is values[i * row_step + k * column_step]; one of
 * the steps is 1. */
typedef struct MatrixView {
    const double *values;
    ptrdiff_t row_step, column_step;
} MatrixView;

/* matrix_by_rows returns a view of a matrix with contiguous rows, `width` numbers apart. matrix_transposed
 * returns a view of its transpose. */
static inline MatrixView matrix_by_rows(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, width, 1};
}

static inline MatrixView matrix_transposed(const double *values, ptrdiff_t width)
{
    return (MatrixView){values, 1, width};
}

/* Computes result = keep * result + factor * left right for left [rows][inner], right [inner][columns] and
 * result [rows][columns]. The rows of result are `width` numbers apart. If keep is 0, result is not
 * read. */
void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width);

/* Computes result [rows][columns] = left right on several threads, in tiles of 64 rows and `width` columns.
 * The sizes of the tiles are fixed, so the result does not depend on the number of threads. */
void matrix_multiply_tiled(int rows, int columns, int inner, MatrixView left, MatrixView right, int width,
                           double *result, int threads);

/* Computes gram = factor factor^T on several threads; factor is [rows][inner] and gram is [rows][rows]. The
 * upper triangle is a copy of the lower one, so gram is exactly symmetric. Like matrix_multiply_tiled, the
 * result does not depend on the number of threads. */
void matrix_gram(int rows, int inner, MatrixView factor, double *gram, int threads);

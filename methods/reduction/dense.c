/* Eigenvectors, singular vectors, orthonormal bases and symmetric systems with LAPACK; products with
 * BLAS. */
#include "methods/reduction/dense.h"

#include "datasets/base/blas_kernels.h"
#include <cblas.h>
#include <lapacke.h>
#include <omp.h>

static Status lapack_failed(const char *routine, int n, lapack_int info)
{
    return status_make(STATUS_SYSTEM, "%s failed on a system of %d unknowns (info %d)", routine, n,
                       (int)info);
}

/* Reduces the matrix to tridiagonal form, which overwrites it. */
Status dense_eigen(double *matrix, int n, double *values, DenseChoice choose, const void *context, int *count,
                   double **vectors)
{
    const size_t size = (size_t)n + 1, bytes = (size_t)n * sizeof(double);
    LOCAL_ARRAY(double, diagonal, size, "an eigenvalue problem");
    LOCAL_ARRAY(double, off_diagonal, size, "an eigenvalue problem");
    LOCAL_ARRAY(double, reflections, size, "an eigenvalue problem");
    LOCAL_ARRAY(double, off_diagonal_copy, size, "an eigenvalue problem");
    LOCAL_ARRAY(double, ascending, size, "an eigenvalue problem");
    LOCAL_ARRAY(lapack_int, support, 2 * size, "an eigenvalue problem");
    *vectors = NULL;
    /* LAPACK stores matrices by columns. The lower triangle of a matrix stored by rows is therefore the
     * upper triangle for LAPACK. */
    lapack_int info =
        LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'U', n, matrix, n, diagonal, off_diagonal, reflections);
    if (info != 0)
        return lapack_failed("dsytrd", n, info);
    /* all eigenvalues */
    memcpy(ascending, diagonal, bytes);
    memcpy(off_diagonal_copy, off_diagonal, bytes);
    info = LAPACKE_dsterf(n, ascending, off_diagonal_copy);
    if (info != 0)
        return lapack_failed("dsterf", n, info);
    for (int i = 0; i < n; i++)
        values[i] = ascending[n - 1 - i];
    *count = choose(values, n, context);
    /* compute the leading eigenvectors, largest eigenvalue first */
    LOCAL_TABLE(double, made, *count, n, "eigenvectors");
    lapack_int found = 0;
    lapack_logical accurate = 1;
    info = LAPACKE_dstemr(LAPACK_COL_MAJOR, 'V', 'I', n, diagonal, off_diagonal, 0.0, 0.0, n - *count + 1, n,
                          &found, ascending, made, n, *count, support, &accurate);
    if (info != 0 || found != *count)
        return lapack_failed("dstemr", n, info);
    info = LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'U', 'N', n, *count, matrix, n, reflections, made, n);
    if (info != 0)
        return lapack_failed("dormtr", n, info);
    for (int i = 0; i < *count / 2; i++)
        cblas_dswap(n, made + (ptrdiff_t)i * n, 1, made + (ptrdiff_t)(*count - 1 - i) * n, 1);
    *vectors = TAKE(made);
    return status_ok();
}

Status dense_orthonormalize(double *rows, int count, int n)
{
    LOCAL_ARRAY(double, reflections, count, "an orthonormal basis");
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, count, rows, n, reflections);
    if (info == 0)
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, count, count, rows, n, reflections);
    return info == 0 ? status_ok() : lapack_failed("dgeqrf", n, info);
}

Status dense_singular(double *columns, int m, int n, DenseChoice choose, const void *context, int *count,
                      double **vectors)
{
    int min = m < n ? m : n;
    LOCAL_ARRAY(double, values, min, "a singular value decomposition");
    LOCAL_TABLE(double, left, min, n, "a singular value decomposition");
    LOCAL_TABLE(double, right, min, m, "a singular value decomposition");
    *vectors = NULL;
    lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', n, m, columns, n, values, left, n, right, min);
    if (info != 0)
        return lapack_failed("dgesdd", n, info);
    for (int i = 0; i < min; i++)
        values[i] *= values[i];
    *count = choose(values, min, context);
    *vectors = TAKE(left);
    return status_ok();
}

Status dense_inverse(int n, const double *matrix, double *inverse)
{
    LOCAL_TABLE(double, copy, n, n, "an inverse");
    LOCAL_ARRAY(double, values, n, "an inverse");
    lapack_int rank = 0;
    memcpy(copy, matrix, (size_t)n * (size_t)n * sizeof *copy);
    for (int i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    const lapack_int info =
        LAPACKE_dgelss(LAPACK_ROW_MAJOR, n, n, n, copy, n, inverse, n, values, -1.0, &rank);
    return info == 0 ? status_ok() : lapack_failed("dgelss", n, info);
}

int tail_rule_choose(const double *values, int n, const void *context)
{
    const TailRule *rule = context;
    int count = n;
    double tail = 0.0;
    while (count > 1) {
        double next = values[count - 1] > 0.0 ? values[count - 1] : 0.0;
        bool rounding = next <= rule->floor * values[0];
        if (!rounding && tail + next > rule->allowed)
            break;
        tail += next;
        count--;
    }
    return rule->dimension_max > 0 && rule->dimension_max < count ? rule->dimension_max : count;
}

/* Returns whether the diagonal of a Cholesky factor shows that the matrix is singular up to rounding. */
static bool factor_is_singular(const double *factor, const double *diagonal, int n)
{
    for (int i = 0; i < n; i++) {
        double pivot = factor[(ptrdiff_t)i * n + i];
        if (!(pivot * pivot > 64.0 * n * DBL_EPSILON * diagonal[i]))
            return true;
    }
    return false;
}

Status dense_solve(double *matrix, int n, double *right, int k, bool *singular)
{
    *singular = false;
    LOCAL_TABLE(double, kept, n, n, "a system of normal equations");
    LOCAL_ARRAY(double, diagonal, n, "a system of normal equations");
    memcpy(kept, matrix, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        diagonal[i] = matrix[(ptrdiff_t)i * n + i];
    lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, matrix, n);
    *singular = info != 0 || factor_is_singular(matrix, diagonal, n);
    if (*singular) {
        /* replace `right` by pseudoinverse(matrix) right */
        const TailRule rule = {.floor = 1e-13 * n};
        LOCAL_ARRAY(double, values, n, "a pseudoinverse");
        OWNED double *vectors = NULL;
        int rank = 0;
        STATUS_TRY(dense_eigen(kept, n, values, tail_rule_choose, &rule, &rank, &vectors));
        LOCAL_TABLE(double, inner, rank, k, "a pseudoinverse");
        matrix_multiply(rank, k, n, 1.0, matrix_by_rows(vectors, n), matrix_by_rows(right, k), 0.0, inner, k);
        for (int i = 0; i < rank; i++)
            cblas_dscal(k, values[i] > 0.0 ? 1.0 / values[i] : 0.0, inner + (ptrdiff_t)i * k, 1);
        matrix_multiply(n, k, rank, 1.0, matrix_transposed(vectors, n), matrix_by_rows(inner, k), 0.0, right,
                        k);
        return status_ok();
    }
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, k, 1.0, matrix, n, right,
                k);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, k, 1.0, matrix, n, right,
                k);
    return status_ok();
}

int linear_algebra_serialize(void)
{
    int threads = omp_get_max_threads();
    linear_algebra_set_threads(1);
    return threads;
}

void linear_algebra_restore(const int *threads)
{
    linear_algebra_set_threads(*threads);
}

void linear_algebra_set_threads(int threads)
{
    omp_set_num_threads(threads);
    blas_threads_set(threads);
}

/* A factor of a matrix product in the form that BLAS expects. */
typedef struct Factor {
    CBLAS_TRANSPOSE transposition;
    int width;
} Factor;

static Factor factor_of(MatrixView view, int rows, int columns)
{
    const bool by_rows = view.column_step == 1;
    const int width = (int)(by_rows ? view.row_step : view.column_step), min = by_rows ? columns : rows;
    return (Factor){by_rows ? CblasNoTrans : CblasTrans, width > min ? width : min > 1 ? min : 1};
}

void matrix_multiply(int rows, int columns, int inner, double factor, MatrixView left, MatrixView right,
                     double keep, double *result, ptrdiff_t width)
{
    const Factor one = factor_of(left, rows, inner), other = factor_of(right, inner, columns);
    cblas_dgemm(CblasRowMajor, one.transposition, other.transposition, rows, columns, inner, factor,
                left.values, one.width, right.values, other.width, keep, result, (int)width);
}

/* Computes the tiles of a product, or only those that touch its lower triangle. */
static void tiles_multiply(int rows, int columns, int inner, MatrixView left, MatrixView right, int width,
                           bool lower_only, double *result, int threads)
{
    enum { HEIGHT = 64 };
    const int across = (columns + width - 1) / width, tiles = (rows + HEIGHT - 1) / HEIGHT * across;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int tile = 0; tile < tiles; tile++) {
        const int row = tile / across * HEIGHT, column = tile % across * width;
        MatrixView some = left, others = right;
        if (lower_only && column >= row + HEIGHT)
            continue;
        some.values += row * left.row_step;
        others.values += column * right.column_step;
        matrix_multiply(int_min(rows - row, HEIGHT), int_min(columns - column, width), inner, 1.0, some,
                        others, 0.0, result + (ptrdiff_t)row * columns + column, columns);
    }
}

void matrix_multiply_tiled(int rows, int columns, int inner, MatrixView left, MatrixView right, int width,
                           double *result, int threads)
{
    tiles_multiply(rows, columns, inner, left, right, width, false, result, threads);
}

void matrix_gram(int rows, int inner, MatrixView factor, double *gram, int threads)
{
    enum { WIDTH = 64 };
    const MatrixView transposed = {factor.values, factor.column_step, factor.row_step};
    tiles_multiply(rows, rows, inner, factor, transposed, WIDTH, true, gram, threads);
    for (ptrdiff_t row = 0; row < rows; row++)
        for (ptrdiff_t column = 0; column < row; column++)
            gram[column * rows + row] = gram[row * rows + column];
}

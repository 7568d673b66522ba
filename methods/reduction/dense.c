/* Eigenvectors, singular vectors, orthonormal bases and symmetric systems over LAPACK. */
#include "methods/reduction/dense.h"

#include "datasets/base/memory.h"
#include "methods/reduction/matrix_product.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <omp.h>
#include <string.h>

static Status lapack_failed(const char *routine, int n, lapack_int info)
{
    return status_make(STATUS_SYSTEM, "%s failed on a system of %d unknowns (info %d)", routine, n,
                       (int)info);
}

/* The tridiagonal form of a symmetric matrix, which stays where the matrix was, and what is needed to go
 * back. */
typedef struct Tridiagonal {
    double *diagonal, *beside, *reflections; /* [n] each */
    double *diagonal_copy, *beside_copy;
    double *ascending; /* [n] */
    lapack_int *support;
} Tridiagonal;

static void tridiagonal_clear(Tridiagonal *form)
{
    memory_free(form->diagonal);
    memory_free(form->beside);
    memory_free(form->reflections);
    memory_free(form->diagonal_copy);
    memory_free(form->beside_copy);
    memory_free(form->ascending);
    memory_free(form->support);
}

static Status tridiagonal_make(Tridiagonal *form, size_t n)
{
    *form = (Tridiagonal){0};
    double **arrays[] = {&form->diagonal,      &form->beside,      &form->reflections,
                         &form->diagonal_copy, &form->beside_copy, &form->ascending};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = memory_array(n + 1, sizeof(double));
    form->support = memory_array(2 * n + 2, sizeof(lapack_int));
    bool whole = form->diagonal && form->beside && form->reflections && form->diagonal_copy &&
                 form->beside_copy && form->ascending && form->support;
    return whole ? status_ok() : status_out_of_memory("an eigenvalue problem");
}

/* The `count` leading eigenvectors from the tridiagonal form, greatest eigenvalue first. */
static Status eigen_vectors(const double *matrix, int n, Tridiagonal *form, int count, double *vectors)
{
    size_t bytes = (size_t)n * sizeof(double);
    memcpy(form->diagonal_copy, form->diagonal, bytes);
    memcpy(form->beside_copy, form->beside, bytes);
    lapack_int found = 0;
    lapack_logical accurate = 1;
    lapack_int info = LAPACKE_dstemr(LAPACK_COL_MAJOR, 'V', 'I', n, form->diagonal_copy, form->beside_copy,
                                     0.0, 0.0, n - count + 1, n, &found, form->ascending, vectors, n, count,
                                     form->support, &accurate);
    if (info != 0 || found != count)
        return lapack_failed("dstemr", n, info);
    info =
        LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'U', 'N', n, count, matrix, n, form->reflections, vectors, n);
    if (info != 0)
        return lapack_failed("dormtr", n, info);
    for (int i = 0; i < count / 2; i++)
        cblas_dswap(n, vectors + (ptrdiff_t)i * n, 1, vectors + (ptrdiff_t)(count - 1 - i) * n, 1);
    return status_ok();
}

Status dense_eigen(double *matrix, int n, double *values, DenseChoice choose, const void *context, int *count,
                   double **vectors)
{
    CLEANUP(tridiagonal_clear) Tridiagonal form = {0};
    *vectors = NULL;
    STATUS_TRY(tridiagonal_make(&form, (size_t)n));
    /* The lower triangle by rows is the upper one by columns. */
    lapack_int info =
        LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'U', n, matrix, n, form.diagonal, form.beside, form.reflections);
    if (info != 0)
        return lapack_failed("dsytrd", n, info);
    memcpy(form.ascending, form.diagonal, (size_t)n * sizeof(double));
    memcpy(form.beside_copy, form.beside, (size_t)n * sizeof(double));
    info = LAPACKE_dsterf(n, form.ascending, form.beside_copy);
    if (info != 0)
        return lapack_failed("dsterf", n, info);
    for (int i = 0; i < n; i++)
        values[i] = form.ascending[n - 1 - i];
    *count = choose(values, n, context);
    LOCAL_TABLE(double, made, *count, n, "eigenvectors");
    STATUS_TRY(eigen_vectors(matrix, n, &form, *count, made));
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
    int least = m < n ? m : n;
    LOCAL_ARRAY(double, values, least, "a singular value decomposition");
    LOCAL_TABLE(double, left, least, n, "a singular value decomposition");
    LOCAL_TABLE(double, right, least, m, "a singular value decomposition");
    *vectors = NULL;
    lapack_int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', n, m, columns, n, values, left, n, right, least);
    if (info != 0)
        return lapack_failed("dgesdd", n, info);
    for (int i = 0; i < least; i++)
        values[i] *= values[i];
    *count = choose(values, least, context);
    *vectors = TAKE(left);
    return status_ok();
}

typedef struct RankRule {
    double relative; /* eigenvalues up to this share of the greatest count as zero */
} RankRule;

static int rank_choose(const double *values, int n, const void *context)
{
    const RankRule *rule = context;
    int rank = 1;
    while (rank < n && values[rank] > rule->relative * values[0])
        rank++;
    return rank;
}

/* right = pseudoinverse(matrix) right */
static Status pseudoinverse_apply(double *matrix, int n, double *right, int k)
{
    RankRule rule = {1e-13 * n};
    LOCAL_ARRAY(double, values, n, "a pseudoinverse");
    OWNED double *vectors = NULL;
    int rank = 0;
    STATUS_TRY(dense_eigen(matrix, n, values, rank_choose, &rule, &rank, &vectors));
    LOCAL_TABLE(double, inner, rank, k, "a pseudoinverse");
    matrix_multiply(rank, k, n, 1.0, matrix_by_rows(vectors, n), matrix_by_rows(right, k), 0.0, inner, k);
    for (int i = 0; i < rank; i++)
        cblas_dscal(k, values[i] > 0.0 ? 1.0 / values[i] : 0.0, inner + (ptrdiff_t)i * k, 1);
    matrix_multiply(n, k, rank, 1.0, matrix_transposed(vectors, n), matrix_by_rows(inner, k), 0.0, right, k);
    return status_ok();
}

/* Whether the diagonal of a Cholesky factor shows a matrix singular to rounding. */
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
    if (*singular)
        return pseudoinverse_apply(kept, n, right, k);
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
    enum { BRINGS_ITS_OWN = 1 }; /* 0: has none, 2: uses OpenMP's */
    omp_set_num_threads(threads);
    if (openblas_get_parallel() == BRINGS_ITS_OWN)
        openblas_set_num_threads(threads);
}

/* Sparse Cholesky factorisation by CHOLMOD. */
#include "methods/reduction/sparse.h"

#include <cholmod.h>

/* The lower triangle by columns: row i of S up to the diagonal is column i of the upper triangle. */
static cholmod_sparse *matrix_gather(const double *matrix, int n, cholmod_common *common)
{
    size_t used = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column <= row; column++)
            used += matrix[(ptrdiff_t)row * n + column] != 0.0;
    cholmod_sparse *out = cholmod_allocate_sparse((size_t)n, (size_t)n, used, 1, 1, 1, CHOLMOD_REAL, common);
    if (!out)
        return NULL;
    int *first = out->p, *rows = out->i, at = 0;
    double *values = out->x;
    for (int row = 0; row < n; row++) {
        first[row] = at;
        for (int column = 0; column <= row; column++)
            if (matrix[(ptrdiff_t)row * n + column] != 0.0) {
                rows[at] = column;
                values[at++] = matrix[(ptrdiff_t)row * n + column];
            }
    }
    first[n] = at;
    return out;
}

/* R between rows together and, as CHOLMOD has it, columns together. */
static cholmod_dense *right_gather(const double *right, int n, int k, cholmod_common *common)
{
    cholmod_dense *out = cholmod_allocate_dense((size_t)n, (size_t)k, (size_t)n, CHOLMOD_REAL, common);
    for (ptrdiff_t row = 0; out && row < n; row++)
        for (ptrdiff_t column = 0; column < k; column++)
            ((double *)out->x)[column * n + row] = right[row * k + column];
    return out;
}

static void right_scatter(const cholmod_dense *solution, int n, int k, double *right)
{
    const double *values = solution->x;
    for (ptrdiff_t row = 0; row < n; row++)
        for (ptrdiff_t column = 0; column < k; column++)
            right[row * k + column] = values[column * n + row];
}

Status sparse_solve(const double *matrix, int n, double *right, int k, bool *singular)
{
    const double RECIPROCAL_LEAST = 1e-12;
    cholmod_common common;
    cholmod_dense *rights = NULL, *solution = NULL;
    Status status = status_ok();
    *singular = false;
    cholmod_start(&common);
    common.print = 0;
    /* One ordering: where memory is out for the first, CHOLMOD would try others, and round otherwise. */
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_AMD;
    cholmod_sparse *gathered = matrix_gather(matrix, n, &common);
    cholmod_factor *factor = gathered ? cholmod_analyze(gathered, &common) : NULL;
    if (factor && cholmod_factorize(gathered, factor, &common)) {
        *singular = common.status != CHOLMOD_OK || !(cholmod_rcond(factor, &common) > RECIPROCAL_LEAST);
        rights = *singular ? NULL : right_gather(right, n, k, &common);
        solution = rights ? cholmod_solve(CHOLMOD_A, factor, rights, &common) : NULL;
    }
    if (solution)
        right_scatter(solution, n, k, right);
    else if (common.status == CHOLMOD_OUT_OF_MEMORY)
        status = status_out_of_memory("a sparse system of normal equations");
    else if (!*singular)
        status = status_make(STATUS_MACHINE, "CHOLMOD failed on a system of %d unknowns (status %d)", n,
                             common.status);
    cholmod_free_sparse(&gathered, &common);
    cholmod_free_dense(&rights, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
    return status;
}

bool sparse_pays(const double *matrix, int n)
{
    const int UNKNOWNS_LEAST = 300;
    const double FILL_GREATEST = 0.05; /* of the lower triangle; from 0.15 on the dense solver wins */
    double used = 0.0;
    if (n < UNKNOWNS_LEAST)
        return false;
    for (int row = 0; row < n; row++)
        for (int column = 0; column <= row; column++)
            used += matrix[(ptrdiff_t)row * n + column] != 0.0;
    return used <= FILL_GREATEST * 0.5 * n * (n + 1.0);
}

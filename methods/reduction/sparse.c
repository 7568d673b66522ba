/* Solves systems whose dense matrix has few non-zeros, by sparse factorisation. */
#include "methods/reduction/sparse.h"

#include "datasets/geometry/sparse_cholesky.h"

static size_t nonzeros_count(const double *matrix, int n)
{
    size_t used = 0;
    for (int row = 0; row < n; row++)
        for (int column = 0; column <= row; column++)
            used += matrix[(ptrdiff_t)row * n + column] != 0.0;
    return used;
}

Status sparse_solve(const double *matrix, int n, double *right, int k, bool *singular)
{
    OWNED_BY(sparse_cholesky_free) SparseCholesky *factor = NULL;
    size_t used = 0;
    *singular = false;
    LOCAL_ARRAY(SparseEntry, entries, nonzeros_count(matrix, n), "a sparse system of equations");
    for (int row = 0; row < n; row++)
        for (int column = 0; column <= row; column++)
            if (matrix[(ptrdiff_t)row * n + column] != 0.0)
                entries[used++] = (SparseEntry){row, column, matrix[(ptrdiff_t)row * n + column]};
    STATUS_TRY(sparse_cholesky_factor(n, used, entries, SPARSE_FAST, &factor));
    *singular = factor == NULL;
    if (factor)
        STATUS_TRY(sparse_cholesky_solve(factor, right, k));
    return status_ok();
}

bool sparse_pays(const double *matrix, int n)
{
    const int UNKNOWNS_MIN = 300;
    const double FILL_MAX = 0.05; /* maximum fraction of non-zeros in the lower triangle for which
                                     sparse_solve is used; above 0.15 the dense solver is faster */
    return n >= UNKNOWNS_MIN && (double)nonzeros_count(matrix, n) <= FILL_MAX * 0.5 * n * (n + 1.0);
}

/* Sparse Cholesky factorisation by CHOLMOD. Its common object belongs to the factor, so that factors share
 * nothing; the memory of solutions is kept between solves. */
#include "datasets/geometry/sparse_cholesky.h"

#include "datasets/base/memory.h"

#include <cholmod.h>

struct SparseCholesky {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *right, *solution, *first_work, *second_work;
    int n;
};

static Status cholmod_failure(const SparseCholesky *factor)
{
    if (factor->common.status == CHOLMOD_OUT_OF_MEMORY || factor->common.status == CHOLMOD_TOO_LARGE)
        return status_out_of_memory("a sparse system of equations");
    return status_make(STATUS_SYSTEM, "CHOLMOD failed on a system of %d unknowns (status %d)", factor->n,
                       factor->common.status);
}

static cholmod_sparse *entries_gather(int n, size_t count, const SparseEntry *entries, cholmod_common *common)
{
    cholmod_triplet *triplet =
        cholmod_allocate_triplet((size_t)n, (size_t)n, count, -1, CHOLMOD_REAL, common);
    if (!triplet)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        ((int *)triplet->i)[i] = entries[i].row;
        ((int *)triplet->j)[i] = entries[i].column;
        ((double *)triplet->x)[i] = entries[i].value;
    }
    triplet->nnz = count;
    cholmod_sparse *out = cholmod_triplet_to_sparse(triplet, count, common);
    cholmod_free_triplet(&triplet, common);
    return out;
}

Status sparse_cholesky_factor(int n, size_t count, const SparseEntry *entries, SparseKind kind,
                              SparseCholesky **out)
{
    const double RECIPROCAL_LEAST = 1e-12;
    *out = NULL;
    SparseCholesky *made = memory_array(1, sizeof *made);
    if (!made)
        return status_out_of_memory("a sparse system of equations");
    *made = (SparseCholesky){.n = n};
    cholmod_common *common = &made->common;
    cholmod_start(common);
    common->print = 0;
    /* One ordering: when out of memory for the first, CHOLMOD would try others, and round otherwise. */
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    if (kind == SPARSE_REPEATABLE) {
        common->supernodal = CHOLMOD_SIMPLICIAL;
        common->final_ll = 1;
    }
    Status status = status_ok();
    cholmod_sparse *matrix = entries_gather(n, count, entries, common);
    made->factor = matrix ? cholmod_analyze(matrix, common) : NULL;
    bool factored = made->factor && cholmod_factorize(matrix, made->factor, common);
    if (!factored)
        status = cholmod_failure(made);
    else if (common->status == CHOLMOD_OK && cholmod_rcond(made->factor, common) > RECIPROCAL_LEAST)
        *out = made;
    cholmod_free_sparse(&matrix, common);
    if (!*out)
        sparse_cholesky_free(made);
    return status;
}

void sparse_cholesky_free(SparseCholesky *factor)
{
    if (!factor)
        return;
    cholmod_common *common = &factor->common;
    cholmod_free_factor(&factor->factor, common);
    cholmod_free_dense(&factor->right, common);
    cholmod_free_dense(&factor->solution, common);
    cholmod_free_dense(&factor->first_work, common);
    cholmod_free_dense(&factor->second_work, common);
    cholmod_finish(common);
    memory_free(factor);
}

/* CHOLMOD has columns together. */
Status sparse_cholesky_solve(SparseCholesky *factor, double *x, int columns)
{
    cholmod_common *common = &factor->common;
    size_t n = (size_t)factor->n, k = (size_t)columns;
    if (!factor->right || factor->right->ncol != k) {
        cholmod_free_dense(&factor->right, common);
        factor->right = cholmod_allocate_dense(n, k, n, CHOLMOD_REAL, common);
    }
    if (!factor->right)
        return cholmod_failure(factor);
    double *right = factor->right->x;
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < k; column++)
            right[column * n + row] = x[row * k + column];
    if (!cholmod_solve2(CHOLMOD_A, factor->factor, factor->right, NULL, &factor->solution, NULL,
                        &factor->first_work, &factor->second_work, common))
        return cholmod_failure(factor);
    const double *solution = factor->solution->x;
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < k; column++)
            x[row * k + column] = solution[column * n + row];
    return status_ok();
}

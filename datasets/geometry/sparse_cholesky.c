/* Sparse Cholesky factorisation with CHOLMOD. Each factor owns a CHOLMOD common object, so that factors
 * share nothing. The memory of a solution is reused by the next solve. */
#include "datasets/geometry/sparse_cholesky.h"

#include "datasets/base/numbers.h"
#include "datasets/base/widest_vectors.h"

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
    const double RECIPROCAL_MIN = 1e-12;
    *out = NULL;
    SparseCholesky *made = memory_array(1, sizeof *made);
    ALLOCATED(made, "a sparse system of equations");
    *made = (SparseCholesky){.n = n};
    cholmod_common *common = &made->common;
    cholmod_start(common);
    common->print = 0;
    /* Allow only one ordering. If memory ran out for it, CHOLMOD would otherwise try another ordering,
     * which rounds differently. */
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
    else if (common->status == CHOLMOD_OK && cholmod_rcond(made->factor, common) > RECIPROCAL_MIN)
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

/* Transposes x before and after solving, because CHOLMOD stores each column contiguously. */
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

/* The unknowns [count] that solving with a right-hand side changes, in ascending order. All others are and
 * remain zero. */
typedef struct Reached {
    int *unknowns, count;
} Reached;

/* Finds the unknowns that are joined by elements of L with a row of x [n][width] that is not zero. In each
 * column of L, the first row below the diagonal is the column's parent in the elimination tree, and the
 * other rows are ancestors of it. A tree is reached as a whole or not at all. */
static void reached_find(const cholmod_factor *factor, int width, const double *x, bool *marked, Reached *out)
{
    const int *starts = factor->p, *counts = factor->nz, *rows = factor->i;
    const int n = (int)factor->n;
    memset(marked, 0, (size_t)n * sizeof *marked);
    for (int j = 0; j < n; j++) {
        for (int c = 0; c < width; c++)
            marked[j] = marked[j] || x[(ptrdiff_t)j * width + c] != 0.0;
        if (marked[j] && counts[j] > 1)
            marked[rows[starts[j] + 1]] = true;
    }
    for (int j = n - 1; j >= 0; j--)
        if (counts[j] > 1)
            marked[j] = marked[rows[starts[j] + 1]];
    out->count = 0;
    for (int j = 0; j < n; j++)
        if (marked[j])
            out->unknowns[out->count++] = j;
}

/* A block has 8 or 16 columns, which are smoothed together. */
enum { NARROW = 8, WIDE = 16 };

/* Smooths x [n][width]. The rows of x are in the factor's order. Each element of L is applied to all columns
 * at once; CHOLMOD's own solver handles at most four columns at once. */
INLINE void columns_smooth(const cholmod_factor *factor, const Reached *reached, const double *diagonal,
                           int times, const int width, double *restrict x)
{
    const int *starts = factor->p, *counts = factor->nz, *rows = factor->i;
    const double *values = factor->x;
    for (int time = 0; time < times; time++) {
        for (int i = 0; i < reached->count; i++) {
            double *row = x + (ptrdiff_t)reached->unknowns[i] * width;
            const double scale = diagonal[reached->unknowns[i]];
            EACH_LANE (c, width)
                row[c] *= scale;
        }
        for (int i = 0; i < reached->count; i++) { /* solve L y = x */
            const int j = reached->unknowns[i], first = starts[j], end = first + counts[j];
            double *row = x + (ptrdiff_t)j * width, solved[WIDE];
            EACH_LANE (c, width)
                row[c] = solved[c] = row[c] / values[first];
            for (int entry = first + 1; entry < end; entry++) {
                const double value = values[entry];
                double *below = x + (ptrdiff_t)rows[entry] * width;
                EACH_LANE (c, width)
                    below[c] -= value * solved[c];
            }
        }
        for (int i = reached->count - 1; i >= 0; i--) { /* solve L^T x = y */
            const int j = reached->unknowns[i], first = starts[j], end = first + counts[j];
            double *row = x + (ptrdiff_t)j * width, left[WIDE];
            EACH_LANE (c, width)
                left[c] = row[c];
            for (int entry = first + 1; entry < end; entry++) {
                const double value = values[entry], *below = x + (ptrdiff_t)rows[entry] * width;
                EACH_LANE (c, width)
                    left[c] -= value * below[c];
            }
            EACH_LANE (c, width)
                row[c] = left[c] / values[first];
        }
    }
}

WIDEST_VECTORS
static void block_smooth(const cholmod_factor *factor, const Reached *reached, const double *diagonal,
                         int times, int width, double *x)
{
    if (width == NARROW)
        columns_smooth(factor, reached, diagonal, times, NARROW, x);
    else
        columns_smooth(factor, reached, diagonal, times, WIDE, x);
}

Status sparse_cholesky_smooth(const SparseCholesky *factor, const double *diagonal, int times, int columns,
                              double *x)
{
    const cholmod_factor *made = factor->factor;
    const int *order = made->Perm;
    const size_t n = made->n;
    const int widest = columns > NARROW ? WIDE : NARROW;
    LOCAL_TABLE(double, block, n, widest, "a sparse system of equations");
    LOCAL_ARRAY(double, scale, n, "a sparse system of equations");
    LOCAL_ARRAY(bool, marked, n, "a sparse system of equations");
    LOCAL_ARRAY(int, unknowns, n, "a sparse system of equations");
    Reached reached = {.unknowns = unknowns};
    for (size_t j = 0; j < n; j++)
        scale[j] = diagonal[order[j]];
    for (int first = 0; first < columns; first += widest) {
        const int count = int_min(columns - first, widest), width = count > NARROW ? WIDE : NARROW;
        for (size_t j = 0; j < n; j++)
            for (int c = 0; c < width; c++)
                block[(ptrdiff_t)j * width + c] =
                    c < count ? x[(ptrdiff_t)order[j] * columns + first + c] : 0.0;
        reached_find(made, width, block, marked, &reached);
        block_smooth(made, &reached, scale, times, width, block);
        for (size_t j = 0; j < n; j++)
            for (int c = 0; c < count; c++)
                x[(ptrdiff_t)order[j] * columns + first + c] = block[(ptrdiff_t)j * width + c];
    }
    return status_ok();
}

/* Randomised subspace iteration (Halko, Martinsson and Tropp 2011). */
#include "methods/reduction/range_finder.h"

#include "datasets/base/memory.h"
#include "datasets/base/random.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/matrix_product.h"

#include <string.h>

enum { FIRST_SIZE = 64, TILE = 128 };

/* The directions tried: [size][3F], and how they meet the trajectories. */
typedef struct Range {
    const Trajectories *trajectories;
    int size;
    double *rows;        /* [size][3F] orthonormal */
    double *coordinates; /* [N][size] */
    double total;        /* ||A - offset 1^T||_F^2 */
    double residual;     /* what of it lies outside of the rows */
} Range;

static void range_clear(Range *range)
{
    memory_free(range->rows);
    memory_free(range->coordinates);
    *range = (Range){0};
}

/* Sums of trajectories with factors of +-1 that no seed changes. */
static void range_draw(Range *range)
{
    Random random = {1};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)range->trajectories->vertex_count * range->size; i++)
        range->coordinates[i] = (random_next(&random) >> 63) ? 1.0 : -1.0;
}

/* rows = coordinates^T (A - offset 1^T)^T, orthonormalised; then the coordinates in them. */
static Status range_turn(Range *range)
{
    const Trajectories *trajectories = range->trajectories;
    int rows = trajectories->row_count, tiles = (rows + TILE - 1) / TILE, failures = 0;
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads) reduction(+ : failures)
    for (int tile = 0; tile < tiles; tile++) {
        int first = tile * TILE, width = rows - first < TILE ? rows - first : TILE;
        failures +=
            trajectories_mix(trajectories, first, width, range->coordinates, range->size, range->rows + first)
                .code != STATUS_OK;
    }
    if (failures > 0)
        return status_out_of_memory("a block of trajectories");
    Status status;
    STATUS_TRY(dense_orthonormalize(range->rows, range->size, rows));
    status = trajectories_coordinates(trajectories, range->rows, range->size, range->coordinates,
                                      &range->total, &range->residual);
done:
    return status;
}

/* A range of `size` directions: drawn, and turned twice towards the greatest. */
static Status range_make(Range *range, const Trajectories *trajectories, int size)
{
    *range = (Range){.trajectories = trajectories, .size = size};
    range->rows = memory_table((size_t)size, (size_t)trajectories->row_count, sizeof(double));
    range->coordinates = memory_table((size_t)trajectories->vertex_count, (size_t)size, sizeof(double));
    if (!range->rows || !range->coordinates)
        return status_out_of_memory("a range of the trajectories");
    Status status;
    range_draw(range);
    STATUS_TRY(range_turn(range));
    status = range_turn(range);
done:
    return status;
}

/* The leading directions within the range, by its own small Gram matrix. */
static Status range_lead(const Range *range, const ReductionOptions *options, int *count, double **basis)
{
    int size = range->size, rows = range->trajectories->row_count;
    TailRule rule = {.allowed = options->threshold * options->threshold - range->residual,
                     .floor = -1.0,
                     .dimension_max = options->dimension_max};
    double *gram = memory_table((size_t)size, (size_t)size, sizeof(double));
    double *values = memory_array((size_t)size, sizeof(double)), *vectors = NULL;
    Status status;
    if (!gram || !values) {
        status = status_out_of_memory("the Gram matrix");
        goto done;
    }
    matrix_multiply(size, size, range->trajectories->vertex_count, 1.0,
                    matrix_transposed(range->coordinates, size), matrix_by_rows(range->coordinates, size),
                    0.0, gram, size);
    STATUS_TRY(dense_eigen(gram, size, values, tail_rule_choose, &rule, count, &vectors));
    *basis = memory_table((size_t)*count, (size_t)rows, sizeof(double));
    if (!*basis) {
        status = status_out_of_memory("the reduced basis");
        goto done;
    }
    matrix_multiply(*count, rows, size, 1.0, matrix_by_rows(vectors, size), matrix_by_rows(range->rows, rows),
                    0.0, *basis, rows);
done:
    memory_free(gram);
    memory_free(values);
    memory_free(vectors);
    return status;
}

Status range_basis(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                   double **basis)
{
    int all = trajectories->row_count < trajectories->vertex_count ? trajectories->row_count
                                                                   : trajectories->vertex_count;
    double allowed = 0.25 * options->threshold * options->threshold;
    Range range = {0};
    Status status = status_ok();
    *count = 0;
    *basis = NULL;
    for (int size = FIRST_SIZE; size <= all / 3 && *count == 0; size *= 2) {
        range_clear(&range);
        STATUS_TRY(range_make(&range, trajectories, size));
        if (range.residual <= allowed)
            STATUS_TRY(range_lead(&range, options, count, basis));
        if (*count == 0 && !progress_report(options->progress, "reduction: a wider range", 0.2)) {
            status = status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
            goto done;
        }
    }
done:
    range_clear(&range);
    return status;
}

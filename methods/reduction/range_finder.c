/* Randomised subspace iteration (Halko, Martinsson and Tropp 2011). */
#include "methods/reduction/range_finder.h"

#include "datasets/base/exact_sum.h"
#include "datasets/base/memory.h"
#include "datasets/base/random.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/matrix_product.h"

#include <math.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

/* The directions tried: [size][3F], and how they meet the trajectories. */
typedef struct Range {
    Trajectories *trajectories;
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

/* Factors of +-1 that no seed changes: those of a rank's share are where they are of all vertices. */
static void range_draw(Range *range)
{
    const Trajectories *trajectories = range->trajectories;
    const uint64_t skipped = (uint64_t)ranks_share(trajectories->ranks, trajectories->all_count).first;
    Random random = {1};
    random_skip(&random, skipped * (uint64_t)range->size);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)trajectories->vertex_count * range->size; i++)
        range->coordinates[i] = (random_next(&random) >> 63) ? 1.0 : -1.0;
}

/* A range of `size` directions: drawn, and turned twice towards the greatest, in three passes over the
 * trajectories: rows = coordinates^T (A - offset 1^T)^T, orthonormalised; then the coordinates in them. Of
 * signs that are drawn sums need no mean. */
static Status range_make(Range *range, Trajectories *trajectories, int size, double allowed)
{
    *range = (Range){.trajectories = trajectories, .size = size};
    range->rows = memory_table((size_t)size, (size_t)trajectories->row_count, sizeof(double));
    range->coordinates = memory_table((size_t)trajectories->vertex_count, (size_t)size, sizeof(double));
    double *turned = memory_table((size_t)size, (size_t)trajectories->row_count, sizeof(double));
    TrajectoryPass drawn = {
        .dimension = size, .coordinates = range->coordinates, .is_sketch = true, .sums = range->rows};
    TrajectoryPass turn = {
        .basis = range->rows, .dimension = size, .coordinates = range->coordinates, .sums = turned};
    Status status = range->rows && range->coordinates && turned
                        ? status_ok()
                        : status_out_of_memory("a range of the trajectories");
    if (status.code != STATUS_OK)
        goto done;
    range_draw(range);
    STATUS_TRY(trajectories_pass(trajectories, &drawn));
    STATUS_TRY(dense_orthonormalize(range->rows, size, trajectories->row_count));
    STATUS_TRY(trajectories_pass(trajectories, &turn));
    memory_free(range->rows);
    range->rows = turned;
    turned = NULL;
    STATUS_TRY(dense_orthonormalize(range->rows, size, trajectories->row_count));
    /* Where a difference of norms decides, that is all that is wanted. */
    TrajectoryPass last = {.basis = range->rows, .dimension = size, .coordinates = range->coordinates};
    STATUS_TRY(trajectories_pass(trajectories, &last));
    last.is_explicit = true;
    if (!(fmax(last.left, allowed) > TRAJECTORIES_RESOLVED * last.total))
        STATUS_TRY(trajectories_pass(trajectories, &last));
    range->total = last.total;
    range->residual = last.left;
done:
    memory_free(turned);
    return status;
}

/* The coordinates in the leading directions, vectors [count][size], in the place of those in the range;
 * *held: the sum of their squares. */
static Status range_turn_coordinates(Range *range, const double *vectors, int count, double *held)
{
    enum { BLOCK = 256 };
    const int size = range->size, vertices = range->trajectories->vertex_count;
    ExactSum sum = {0};
    double *turned = memory_table(BLOCK, (size_t)count, sizeof *turned);
    if (!turned)
        return status_out_of_memory("the reduced coordinates");
    for (int first = 0; first < vertices; first += BLOCK) {
        const int some = vertices - first < BLOCK ? vertices - first : BLOCK;
        matrix_multiply(some, count, size, 1.0,
                        matrix_by_rows(range->coordinates + (ptrdiff_t)first * size, size),
                        matrix_transposed(vectors, size), 0.0, turned, count);
        memcpy(range->coordinates + (ptrdiff_t)first * count, turned,
               (size_t)some * (size_t)count * sizeof *turned);
        double squares = 0.0;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)some * count; i++)
            squares += turned[i] * turned[i];
        exact_sum_add(&sum, squares);
    }
    ranks_sum(range->trajectories->ranks, &sum.sum, &sum.rest, 1);
    *held = sum.sum;
    memory_free(turned);
    return status_ok();
}

/* The leading directions within the range, by its own small Gram matrix. */
static Status range_lead(Range *range, const ReductionOptions *options, RangeBasis *out)
{
    int size = range->size, rows = range->trajectories->row_count;
    TailRule rule = {.allowed = options->threshold * options->threshold - range->residual,
                     .floor = -1.0,
                     .dimension_max = options->dimension_max};
    double *gram = memory_table((size_t)size, (size_t)size, sizeof(double));
    double *values = memory_array((size_t)size, sizeof(double)), *vectors = NULL, held = 0.0;
    Status status;
    if (!gram || !values) {
        status = status_out_of_memory("the Gram matrix");
        goto done;
    }
    STATUS_TRY(coordinates_gram(range->trajectories, range->coordinates, size, gram));
    STATUS_TRY(dense_eigen(gram, size, values, tail_rule_choose, &rule, &out->count, &vectors));
    out->basis = memory_table((size_t)out->count, (size_t)rows, sizeof(double));
    if (!out->basis) {
        status = status_out_of_memory("the reduced basis");
        goto done;
    }
    matrix_multiply(out->count, rows, size, 1.0, matrix_by_rows(vectors, size),
                    matrix_by_rows(range->rows, rows), 0.0, out->basis, rows);
    STATUS_TRY(range_turn_coordinates(range, vectors, out->count, &held));
    out->coordinates = range->coordinates;
    range->coordinates = NULL;
    out->total = range->total;
    out->left = range->total - held;
done:
    memory_free(gram);
    memory_free(values);
    memory_free(vectors);
    return status;
}

Status range_basis(Trajectories *trajectories, const ReductionOptions *options, RangeBasis *out)
{
    const int all =
        trajectories->row_count < trajectories->all_count ? trajectories->row_count : trajectories->all_count;
    double allowed = 0.25 * options->threshold * options->threshold;
    Range range = {0};
    Status status = status_ok();
    *out = (RangeBasis){0};
    for (int size = FIRST_SIZE; size <= all / 3 && out->count == 0; size *= 2) {
        range_clear(&range);
        STATUS_TRY(range_make(&range, trajectories, size, allowed));
        if (range.residual <= allowed)
            STATUS_TRY(range_lead(&range, options, out));
        if (out->count == 0 && !progress_report(options->progress, "reduction: a wider range", 0.2)) {
            status = status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
            goto done;
        }
    }
done:
    range_clear(&range);
    if (status.code != STATUS_OK) {
        memory_free(out->basis);
        memory_free(out->coordinates);
        *out = (RangeBasis){0};
    }
    return status;
}

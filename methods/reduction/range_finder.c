/* Randomised subspace iteration (Halko, Martinsson and Tropp 2011). */
#include "methods/reduction/range_finder.h"

#include "datasets/base/exact_sum.h"
#include "methods/reduction/dense.h"

enum { FIRST_SIZE = 64 };

/* A random range: directions [size][3F], and the coordinates of the trajectories in the span of these
 * directions. */
typedef struct Range {
    Trajectories *trajectories;
    int size;
    double *rows;        /* [size][3F] orthonormal */
    double *coordinates; /* [N][size] */
    double total;        /* ||A - offset 1^T||_F^2 */
    double residual;     /* part of `total` outside the span of the directions */
} Range;

static void range_clear(Range *range)
{
    FREE_ALL(range->rows, range->coordinates);
    *range = (Range){0};
}

/* Finds the leading directions within the range from a small Gram matrix. */
static Status range_lead(Range *range, const ReductionOptions *options, RangeBasis *out)
{
    int size = range->size, rows = range->trajectories->row_count;
    TailRule rule = {.allowed = options->threshold * options->threshold - range->residual,
                     .floor = -1.0,
                     .dimension_max = options->dimension_max};
    LOCAL_TABLE(double, gram, size, size, "the Gram matrix");
    LOCAL_ARRAY(double, values, size, "the Gram matrix");
    OWNED double *vectors = NULL;
    double held = 0.0;
    STATUS_TRY(coordinates_gram(range->trajectories, range->coordinates, size, gram));
    STATUS_TRY(dense_eigen(gram, size, values, tail_rule_choose, &rule, &out->count, &vectors));
    ALLOCATE_TABLE(out->basis, out->count, rows, "the reduced basis");
    matrix_multiply(out->count, rows, size, 1.0, matrix_by_rows(vectors, size),
                    matrix_by_rows(range->rows, rows), 0.0, out->basis, rows);
    /* replace the coordinates in the range by coordinates in the leading directions */
    enum { BLOCK = 256 };
    const int vertices = range->trajectories->vertex_count;
    ExactSum sum = {0};
    LOCAL_TABLE(double, turned, BLOCK, out->count, "the reduced coordinates");
    for (int first = 0; first < vertices; first += BLOCK) {
        const int some = int_min(vertices - first, BLOCK);
        matrix_multiply(some, out->count, size, 1.0,
                        matrix_by_rows(range->coordinates + (ptrdiff_t)first * size, size),
                        matrix_transposed(vectors, size), 0.0, turned, out->count);
        memcpy(range->coordinates + (ptrdiff_t)first * out->count, turned,
               (size_t)some * (size_t)out->count * sizeof *turned);
        double squares = 0.0;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)some * out->count; i++)
            squares += turned[i] * turned[i];
        exact_sum_add(&sum, squares);
    }
    ranks_sum(range->trajectories->ranks, &sum.sum, &sum.rest, 1);
    held = sum.sum;
    out->coordinates = range->coordinates;
    range->coordinates = NULL;
    out->total = range->total;
    out->left = range->total - held;
    return status_ok();
}

static void range_basis_clear(RangeBasis *basis)
{
    FREE_ALL(basis->basis, basis->coordinates);
    *basis = (RangeBasis){0};
}
DEFINE_OWNED_BY(RangeBasis, range_basis_clear)

Status range_basis(Trajectories *trajectories, const ReductionOptions *options, RangeBasis *out)
{
    UNDO_ON_FAILURE(range_basis_clear) RangeBasis *unfinished = out;
    const int all = int_min(trajectories->row_count, trajectories->all_count);
    const double allowed = 0.25 * options->threshold * options->threshold;
    CLEANUP(range_clear) Range range = {0};
    *out = (RangeBasis){0};
    for (int size = FIRST_SIZE; size <= all / 3 && out->count == 0; size *= 2) {
        range_clear(&range);
        /* Draws a range of `size` directions and turns it twice towards the leading directions, in three
         * passes over the trajectories. To turn the range, its rows are replaced by coordinates^T (A -
         * offset 1^T)^T and orthonormalised. The first pass sums columns with random signs, so it does not
         * need the mean. The last pass gives the coordinates in the range. */
        range = (Range){.trajectories = trajectories, .size = size};
        ALLOCATE_TABLE(range.rows, size, trajectories->row_count, "a range of the trajectories");
        ALLOCATE_TABLE(range.coordinates, trajectories->vertex_count, size, "a range of the trajectories");
        LOCAL_TABLE(double, turned, size, trajectories->row_count, "a range of the trajectories");
        TrajectoryPass drawn = {
            .dimension = size, .coordinates = range.coordinates, .is_sketch = true, .sums = range.rows};
        TrajectoryPass turn = {
            .basis = range.rows, .dimension = size, .coordinates = range.coordinates, .sums = turned};
        /* draw factors of +-1 from a fixed seed; each rank skips ahead to the factors of its own
         * vertices */
        const uint64_t skipped = (uint64_t)ranks_share(trajectories->ranks, trajectories->all_count).first;
        Random random = {1};
        random_skip(&random, skipped * (uint64_t)range.size);
        for (ptrdiff_t i = 0; i < (ptrdiff_t)trajectories->vertex_count * range.size; i++)
            range.coordinates[i] = (random_next(&random) >> 63) ? 1.0 : -1.0;
        STATUS_TRY(trajectories_pass(trajectories, &drawn));
        STATUS_TRY(dense_orthonormalize(range.rows, size, trajectories->row_count));
        STATUS_TRY(trajectories_pass(trajectories, &turn));
        memory_free(range.rows);
        range.rows = TAKE(turned);
        STATUS_TRY(dense_orthonormalize(range.rows, size, trajectories->row_count));
        /* the residual may be a difference of norms, which is accurate enough to decide whether the
         * threshold is met */
        TrajectoryPass last = {.basis = range.rows, .dimension = size, .coordinates = range.coordinates};
        STATUS_TRY(trajectories_pass(trajectories, &last));
        last.is_explicit = true;
        if (!(fmax(last.left, allowed) > TRAJECTORIES_RESOLVED * last.total))
            STATUS_TRY(trajectories_pass(trajectories, &last));
        range.total = last.total;
        range.residual = last.left;
        if (range.residual <= allowed)
            STATUS_TRY(range_lead(&range, options, out));
        if (out->count == 0 && !progress_report(options->progress, "reduction: trying a wider range", 0.2))
            return status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
    }
    unfinished = NULL;
    return status_ok();
}

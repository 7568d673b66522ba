/* FESAM Algorithm 1. Each step makes an orthonormal basis vector from a column, and reduces the squared
 * norms of the remaining columns. The steps end when the threshold is met. */
#include "methods/reduction/fesam_algorithm_1.h"

typedef struct Greedy {
    const Trajectories *trajectories;
    const ReductionOptions *options;
    double *basis; /* [capacity][3F] */
    int count, capacity;
    double *norms;    /* [N] squared norms of the columns of A_i, reduced by each new basis vector */
    double *products; /* [N] the row m_i^T A */
    double total, remaining;
    int next_column; /* next column for the Gram-Schmidt strategy */
} Greedy;

static void greedy_clear(Greedy *greedy)
{
    FREE_ALL(greedy->basis, greedy->norms, greedy->products);
}

/* Subtracts from `direction` its projection onto each basis vector found so far. */
static void direction_deflate(const Greedy *greedy, double *direction)
{
    int rows = greedy->trajectories->row_count;
    for (int k = 0; k < greedy->count; k++) {
        const double *vector = greedy->basis + (ptrdiff_t)k * rows;
        double product = 0.0;
#pragma omp simd reduction(+ : product)
        for (int i = 0; i < rows; i++)
            product += vector[i] * direction[i];
        for (int i = 0; i < rows; i++)
            direction[i] -= product * vector[i];
    }
}

/* Scales a vector to unit length. Returns its previous length. */
static double direction_normalize(double *direction, int rows)
{
    double square = 0.0;
    for (int i = 0; i < rows; i++)
        square += direction[i] * direction[i];
    double length = sqrt(square);
    for (int i = 0; i < rows && length > 0.0; i++)
        direction[i] /= length;
    return length;
}

/* Returns the next column, or -1 if there is none. This is the column that is farthest from the span. The
 * Gram-Schmidt strategy instead takes the first column whose residual is neither below its share of the
 * threshold nor only rounding error. */
static int column_next(Greedy *greedy)
{
    const int columns = greedy->trajectories->vertex_count;
    const double threshold = greedy->options->threshold;
    const double floor = fmax(threshold * threshold, 16.0 * DBL_EPSILON * greedy->total) / columns;
    int best = 0;
    for (int j = 1; j < columns; j++)
        if (greedy->norms[j] > greedy->norms[best])
            best = j;
    if (greedy->options->strategy != REDUCTION_GS)
        return best;
    while (greedy->next_column < columns && greedy->norms[greedy->next_column] <= floor)
        greedy->next_column++;
    return greedy->next_column < columns ? greedy->next_column++ : -1;
}

/* Makes a direction by subtracting from a column its projection onto the basis. If column is -1, starts
 * from the constant vector instead. Returns the length of the direction. */
static double direction_begin(const Greedy *greedy, int column, double *direction)
{
    int rows = greedy->trajectories->row_count;
    if (column >= 0)
        trajectories_block(greedy->trajectories, column, 1, direction);
    for (int i = 0; i < rows && column < 0; i++)
        direction[i] = 1.0;
    direction_deflate(greedy, direction);
    return direction_normalize(direction, rows);
}

/* Fills `direction` with the next unit vector; *length is 0 if no direction is left. The power method
 * begins with the constant vector or, if this is orthogonal to all columns, with the column that MAX would
 * choose. */
static Status direction_choose(Greedy *greedy, double *direction, double *length)
{
    const ReductionOptions *options = greedy->options;
    int powers = options->strategy == REDUCTION_PM1 ? 1 : options->strategy == REDUCTION_PM2 ? 2 : 0;
    *length = 0.0;
    if (powers > 0) {
        direction_begin(greedy, -1, direction);
        for (int i = 0; i < powers; i++) { /* m = A_i A_i^T m, scaled to unit length */
            trajectories_project(greedy->trajectories, direction, greedy->products);
            STATUS_TRY(trajectories_combine(greedy->trajectories, greedy->products, direction));
            direction_deflate(greedy, direction);
            *length = direction_normalize(direction, greedy->trajectories->row_count);
        }
    }
    if (*length <= 0.0) {
        const int column = column_next(greedy);
        *length = column < 0 ? 0.0 : direction_begin(greedy, column, direction);
    }
    if (options->stabilize && *length > 0.0) {
        direction_deflate(greedy, direction);
        direction_normalize(direction, greedy->trajectories->row_count);
    }
    return status_ok();
}

static Status basis_grow(Greedy *greedy)
{
    size_t rows = (size_t)greedy->trajectories->row_count;
    int capacity = greedy->capacity ? 2 * greedy->capacity : 32;
    double *basis = memory_table((size_t)capacity, rows, sizeof(double));
    ALLOCATED(basis, "the reduced basis");
    if (greedy->basis)
        memcpy(basis, greedy->basis, (size_t)greedy->count * rows * sizeof(double));
    memory_free(greedy->basis);
    greedy->basis = basis;
    greedy->capacity = capacity;
    return status_ok();
}

Status fesam_algorithm_1(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                         double **basis)
{
    CLEANUP(greedy_clear) Greedy greedy = {.trajectories = trajectories, .options = options};
    const int rows = trajectories->row_count, columns = trajectories->vertex_count;
    int max = int_min(rows, columns);
    if (options->dimension_max > 0)
        max = int_min(max, options->dimension_max);
    ALLOCATE(greedy.norms, columns, "the column norms");
    ALLOCATE(greedy.products, columns, "the column norms");
    greedy.total = greedy.remaining = trajectories_norms(trajectories, greedy.norms);
    const double target = options->threshold * options->threshold, floor = 4.0 * DBL_EPSILON * greedy.total;
    while (greedy.count < max && greedy.remaining > target && greedy.remaining > floor) {
        if (!progress_report(options->progress, "reduction", 0.3 * greedy.count / max))
            return status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
        if (greedy.count == greedy.capacity)
            STATUS_TRY(basis_grow(&greedy));
        double length = 0.0, *direction = greedy.basis + (ptrdiff_t)greedy.count * rows;
        STATUS_TRY(direction_choose(&greedy, direction, &length));
        if (length <= 0.0)
            break;
        /* subtract the squares of the new row of C from the squared column norms */
        trajectories_project(trajectories, direction, greedy.products);
        greedy.remaining = 0.0;
        for (int j = 0; j < columns; j++) {
            double left = greedy.norms[j] - greedy.products[j] * greedy.products[j];
            greedy.norms[j] = left > 0.0 ? left : 0.0;
            greedy.remaining += greedy.norms[j];
        }
        greedy.count++;
    }
    /* the basis needs one vector even if all trajectories are equal and no direction remains to choose */
    if (greedy.count == 0) {
        STATUS_TRY(basis_grow(&greedy));
        greedy.basis[0] = 1.0;
        greedy.count = 1;
    }
    *count = greedy.count;
    *basis = TAKE(greedy.basis);
    return status_ok();
}

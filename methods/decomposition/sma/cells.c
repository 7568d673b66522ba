/* Reduces the triangles to a limited number of cells. Each cell has a point, which stands for similar
 * triangles, and a mass, the number of these triangles (mean_shift.h). */
#include "methods/decomposition/sma/mean_shift.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { CELL_BLOCK = 64 };

static double sketch_norm_squared(const double *point)
{
    double sum = 0.0;
    for (int i = 0; i < SKETCH_SIZE; i++)
        sum += point[i] * point[i];
    return sum;
}

void cells_clear(Cells *cells)
{
    FREE_ALL(cells->points, cells->norms, cells->masses, cells->cell_of);
    *cells = (Cells){0};
}

/* Finds the cell nearest to each point y of a block. This is the cell whose point x has the smallest
 * ||x||^2 - 2 x . y. */
static void cells_assign_block(const RotationSketch *sketch, const Cells *cells, int first, double *products,
                               int32_t *cell_of)
{
    int count = sketch->count - first < CELL_BLOCK ? sketch->count - first : CELL_BLOCK;
    matrix_multiply(count, cells->count, SKETCH_SIZE, 1.0,
                    matrix_by_rows(sketch->points + (ptrdiff_t)first * SKETCH_SIZE, SKETCH_SIZE),
                    matrix_transposed(cells->points, SKETCH_SIZE), 0.0, products, cells->count);
    for (int i = 0; i < count; i++) {
        const double *row = products + (ptrdiff_t)i * cells->count;
        int best = 0;
        for (int cell = 1; cell < cells->count; cell++)
            if (cells->norms[cell] - 2.0 * row[cell] < cells->norms[best] - 2.0 * row[best])
                best = cell;
        cell_of[first + i] = best;
    }
}

Status cells_sample(const RotationSketch *sketch, int samples, uint64_t seed, int threads, Cells *out)
{
    const int count = int_min(sketch->count, samples);
    const size_t workspace_size = CELL_BLOCK * (size_t)count;
    *out = (Cells){.count = count};
    ALLOCATE_TABLE(out->points, count, SKETCH_SIZE, "the cells of mean shift");
    ALLOCATE(out->norms, count, "the cells of mean shift");
    ALLOCATE(out->masses, count, "the cells of mean shift");
    ALLOCATE(out->cell_of, sketch->count, "the cells of mean shift");
    LOCAL_ARRAY(int32_t, order, sketch->count, "the cells of mean shift");
    LOCAL_TABLE(double, workspace, threads, workspace_size, "the cells of mean shift");
    Random random = {seed};
    for (int i = 0; i < sketch->count; i++)
        order[i] = i;
    for (int i = 0; i < count; i++) {
        int other = i + (int)(random_next(&random) % (uint64_t)(sketch->count - i));
        int32_t kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int cell = 0; cell < count; cell++) {
        double *point = out->points + (ptrdiff_t)cell * SKETCH_SIZE;
        memcpy(point, sketch->points + (ptrdiff_t)order[cell] * SKETCH_SIZE, SKETCH_SIZE * sizeof(double));
        out->norms[cell] = sketch_norm_squared(point);
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int first = 0; first < sketch->count; first += CELL_BLOCK)
        cells_assign_block(sketch, out, first, workspace + (size_t)omp_get_thread_num() * workspace_size,
                           out->cell_of);
    /* Computes the points and masses of the cells from their members. A cell that lost all members to an
     * identical cell is dropped. order [cells] is workspace. */
    int used = 0;
    memset(out->points, 0, (size_t)out->count * SKETCH_SIZE * sizeof(double));
    for (int i = 0; i < sketch->count; i++) {
        double *point = out->points + (ptrdiff_t)out->cell_of[i] * SKETCH_SIZE;
        out->masses[out->cell_of[i]] += 1.0;
        for (int k = 0; k < SKETCH_SIZE; k++)
            point[k] += sketch->points[(ptrdiff_t)i * SKETCH_SIZE + k];
    }
    for (int cell = 0; cell < out->count; cell++) {
        double mass = out->masses[cell];
        if (mass == 0.0)
            continue;
        for (int k = 0; k < SKETCH_SIZE; k++)
            out->points[(ptrdiff_t)used * SKETCH_SIZE + k] =
                out->points[(ptrdiff_t)cell * SKETCH_SIZE + k] / mass;
        out->masses[used] = mass;
        out->norms[used] = sketch_norm_squared(out->points + (ptrdiff_t)used * SKETCH_SIZE);
        order[cell] = used++;
    }
    out->count = used;
    for (int i = 0; i < sketch->count; i++)
        out->cell_of[i] = order[out->cell_of[i]];
    return status_ok();
}

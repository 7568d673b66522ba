/* Moves paths uphill to the modes of the density of rotation sketches (a sketch is a point that represents
 * the rotations of a triangle). Paths that end at the same mode form a cluster (Comaniciu and Meer
 * 2002). */
#include "methods/decomposition/sma/mean_shift.h"

#include "methods/reduction/dense.h"

#include <omp.h>

enum { SHIFT_BLOCK = 64, STEPS_MAX = 100, SKETCH_STEP = 8 };
_Static_assert(SKETCH_SIZE % SKETCH_STEP == 0, "SKETCH_SIZE must be a multiple of SKETCH_STEP");

static double sketch_distance_squared(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < SKETCH_SIZE; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Returns whether two sketches are farther apart than `reach`. For most pairs the first few values are
 * enough to decide. */
static bool sketches_apart(const double *a, const double *b, double reach)
{
    double sum = 0.0;
    for (int first = 0; first < SKETCH_SIZE && sum <= reach * reach; first += SKETCH_STEP)
        for (int i = first; i < first + SKETCH_STEP; i++)
            sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum > reach * reach;
}

/* State of all paths. A path starts at a cell and moves uphill. */
typedef struct Paths {
    int count;        /* number of paths that have not merged into another */
    double *points;   /* [M][SKETCH_SIZE] current positions */
    bool *resting;    /* [M] */
    int32_t *path_of; /* [M] path that represents each cell */
    int32_t *numbers; /* [M] workspace */
} Paths;

static void paths_clear(Paths *paths)
{
    FREE_ALL(paths->points, paths->resting, paths->path_of, paths->numbers);
}

/* Moves a path to the weighted mean of the cells within the bandwidth. products [M] holds the inner
 * products of its position with the points of the cells. */
WIDEST_VECTORS
static void path_move(const Cells *cells, MeanShiftKernel kernel, double bandwidth, const double *products,
                      double *point, bool *resting)
{
    double origin[SKETCH_SIZE] = {0.0}, sum[SKETCH_SIZE] = {0.0}, mass = 0.0;
    double norm = sketch_distance_squared(point, origin), reach = bandwidth * bandwidth - norm;
    for (int cell = 0; cell < cells->count; cell++) {
        double offset = cells->norms[cell] - 2.0 * products[cell];
        if (offset > reach)
            continue;
        const double *cell_point = cells->points + (ptrdiff_t)cell * SKETCH_SIZE;
        /* the weight of a cell is its mass times the kernel at this distance */
        double left = 1.0 - sqrt(fmax(norm + offset, 0.0)) / bandwidth;
        double weight = cells->masses[cell] * (kernel == KERNEL_FAMS ? left * left : 1.0);
        mass += weight;
        for (int k = 0; k < SKETCH_SIZE; k++)
            sum[k] += weight * cell_point[k];
    }
    *resting = !(mass > 0.0);
    if (*resting)
        return;
    for (int k = 0; k < SKETCH_SIZE; k++)
        sum[k] /= mass;
    *resting = sketch_distance_squared(point, sum) <= 1e-12 * bandwidth * bandwidth;
    memcpy(point, sum, sizeof sum);
}

void clusters_clear(Clusters *clusters)
{
    FREE_ALL(clusters->modes, clusters->cluster_of);
    *clusters = (Clusters){0};
}

static Status clusters_gather(const Cells *cells, double bandwidth, const Paths *paths, Clusters *out)
{
    size_t count = (size_t)paths->count;
    LOCAL_ARRAY(double, masses, count, "the clusters of mean shift");
    LOCAL_ARRAY(int32_t, order, count, "the clusters of mean shift");
    ALLOCATE_TABLE(out->modes, count, SKETCH_SIZE, "the clusters of mean shift");
    ALLOCATE(out->cluster_of, cells->count, "the clusters of mean shift");
    for (int cell = 0; cell < cells->count; cell++)
        masses[paths->path_of[cell]] += cells->masses[cell];
    /* sort the paths by decreasing mass; ties keep their order */
    for (int i = 0; i < paths->count; i++) {
        int slot = i;
        for (; slot > 0 && masses[i] > masses[order[slot - 1]]; slot--)
            order[slot] = order[slot - 1];
        order[slot] = i;
    }
    /* merge modes closer together than the bandwidth; the mode of larger mass, which comes first,
     * remains */
    for (int i = 0; i < paths->count; i++) {
        const double *mode = paths->points + (ptrdiff_t)order[i] * SKETCH_SIZE;
        int cluster = 0;
        while (cluster < out->count &&
               sketches_apart(mode, out->modes + (ptrdiff_t)cluster * SKETCH_SIZE, bandwidth))
            cluster++;
        if (cluster == out->count)
            memcpy(out->modes + (ptrdiff_t)out->count++ * SKETCH_SIZE, mode, SKETCH_SIZE * sizeof(double));
        paths->numbers[order[i]] = cluster;
    }
    for (int cell = 0; cell < cells->count; cell++)
        out->cluster_of[cell] = paths->numbers[paths->path_of[cell]];
    return status_ok();
}

Status mean_shift(const Cells *cells, MeanShiftKernel kernel, double bandwidth, int threads, Clusters *out)
{
    CLEANUP(paths_clear) Paths paths = {0};
    *out = (Clusters){0};
    /* start a path from every cell */
    const size_t count = (size_t)cells->count;
    paths.count = cells->count;
    LOCAL_TABLE(double, workspace, threads, SHIFT_BLOCK *count, "the paths of mean shift");
    ALLOCATE_TABLE(paths.points, count, SKETCH_SIZE, "the paths of mean shift");
    ALLOCATE(paths.resting, count, "the paths of mean shift");
    ALLOCATE(paths.path_of, count, "the paths of mean shift");
    ALLOCATE(paths.numbers, count, "the paths of mean shift");
    memcpy(paths.points, cells->points, count * SKETCH_SIZE * sizeof(double));
    for (int i = 0; i < cells->count; i++)
        paths.path_of[i] = i;
    /* move all paths uphill until none of them moves any more */
    for (int step = 0; step < STEPS_MAX; step++) {
        int moving = 0;
        for (int i = 0; i < paths.count; i++)
            if (!paths.resting[i])
                paths.numbers[moving++] = i;
        if (moving == 0)
            break;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int first = 0; first < moving; first += SHIFT_BLOCK) {
            double *products = workspace + (size_t)omp_get_thread_num() * SHIFT_BLOCK * count;
            const int some = int_min(moving - first, SHIFT_BLOCK);
            const int32_t *numbers = paths.numbers + first;
            double points[SHIFT_BLOCK][SKETCH_SIZE];
            for (int i = 0; i < some; i++)
                memcpy(points[i], paths.points + (ptrdiff_t)numbers[i] * SKETCH_SIZE, sizeof points[i]);
            matrix_multiply(some, cells->count, SKETCH_SIZE, 1.0, matrix_by_rows(points[0], SKETCH_SIZE),
                            matrix_transposed(cells->points, SKETCH_SIZE), 0.0, products, cells->count);
            for (int i = 0; i < some; i++)
                path_move(cells, kernel, bandwidth, products + (ptrdiff_t)i * cells->count,
                          paths.points + (ptrdiff_t)numbers[i] * SKETCH_SIZE, &paths.resting[numbers[i]]);
        }
        /* merge paths closer than a thousandth of the bandwidth into the one with the lower number */
        int kept = 0;
        for (int i = 0; i < paths.count; i++) {
            const double *point = paths.points + (ptrdiff_t)i * SKETCH_SIZE;
            int other = 0;
            while (other < kept &&
                   sketches_apart(point, paths.points + (ptrdiff_t)other * SKETCH_SIZE, 1e-3 * bandwidth))
                other++;
            paths.numbers[i] = other;
            if (other < kept)
                continue;
            memmove(paths.points + (ptrdiff_t)kept * SKETCH_SIZE, point, SKETCH_SIZE * sizeof(double));
            paths.resting[kept++] = paths.resting[i];
        }
        paths.count = kept;
        for (int cell = 0; cell < cells->count; cell++)
            paths.path_of[cell] = paths.numbers[paths.path_of[cell]];
    }
    return clusters_gather(cells, bandwidth, &paths, out);
}

/* The animation matrix A, one vertex's trajectory after another, and the few products with it that the
 * reductions need. Blocks of vertices are converted to double as they are used. */
#ifndef SKINBENCH_REDUCTION_TRAJECTORIES_H
#define SKINBENCH_REDUCTION_TRAJECTORIES_H

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

typedef struct Trajectories {
    int row_count;    /* 3F */
    int vertex_count; /* N */
    float *values;    /* [N][3F] column j of A lies together */
    double *offset;   /* [3F] to be subtracted from every column */
    int threads;      /* that products with the matrix run on; at least 1 */
} Trajectories;

/* Gathers positions [F][N][3]. With `center` the offset is each row's mean, else zero; `threads` 0: one.
 * Release with trajectories_clear. */
Status trajectories_make(const Animation *animation, int vertex_count, bool center, int threads,
                         Trajectories *out);
void trajectories_clear(Trajectories *trajectories);

/* Columns first to first + count - 1 of A - offset 1^T into block [count][3F]. */
void trajectories_block(const Trajectories *trajectories, int first, int count, double *block);

/* ||a_j - offset||^2 of every column into norms [N]; returns their sum. */
double trajectories_norms(const Trajectories *trajectories, double *norms);

/* products [N] = direction^T (A - offset 1^T), direction [3F]. */
void trajectories_project(const Trajectories *trajectories, const double *direction, double *products);

/* sum [3F] = (A - offset 1^T) factors, factors [N]. */
Status trajectories_combine(const Trajectories *trajectories, const double *factors, double *sum);

/* sums [size][3F], of which rows first to first + width - 1 are filled (`sums` points at the first, a row of
 * them 3F further on): factors^T (A - offset 1^T)^T, factors [N][size]. On the calling thread. */
Status trajectories_mix(const Trajectories *trajectories, int first, int width, const double *factors,
                        int size, double *sums);

/* gram [n][n], lower triangle of (A - offset 1^T) (A - offset 1^T)^T, n = 3F; or, with `by_vertex`, of the
 * product the other way round, n = N. */
Status trajectories_gram(const Trajectories *trajectories, bool by_vertex, double *gram);

/* coordinates [N][d] = (A - offset 1^T)^T B, *total the sum of ||a_j - offset||^2 and *left that of
 * ||a_j - offset - B c_j||^2, which is summed over the differences themselves where it is a billionth of the total or
 * less; basis [d][3F] orthonormal. */
Status trajectories_coordinates(const Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left);

/* What a basis as above leaves of the trajectories, rounded to float, without an offset. Release with
 * trajectories_clear. */
Status trajectories_residual(const Trajectories *trajectories, const double *basis, int dimension,
                             Trajectories *out);

#endif

/* Mean shift (Comaniciu and Meer 2002) over the points of a rotation sketch. All triangles have equal
 * weight. For speed the triangles are reduced to at most `samples` cells: paths start from cells and
 * average over cells. A cell begins as a random triangle and moves to the mean of the triangles nearest to
 * it. Its mass is the number of these triangles. */
#pragma once

#include "methods/decomposition/sma/rotation_sketch.h"

typedef struct Cells {
    int count;        /* M */
    double *points;   /* [M][SKETCH_SIZE] */
    double *norms;    /* [M] squared norms of the points */
    double *masses;   /* [M] triangles */
    int32_t *cell_of; /* [triangles of the sketch] cell of each triangle */
} Cells;

Status cells_sample(const RotationSketch *sketch, int samples, uint64_t seed, int threads, Cells *out);
void cells_clear(Cells *cells);

typedef enum MeanShiftKernel {
    KERNEL_FLAT,
    KERNEL_FAMS /* kernel (1 - distance / bandwidth)^2, as in the public program FAMS of Georgescu, Shimshoni
                   and Meer 2003 */
} MeanShiftKernel;

/* Clusters of cells for one bandwidth; the paths of a cluster end at the same mode. */
typedef struct Clusters {
    int count;           /* at least 1 */
    double *modes;       /* [count][SKETCH_SIZE] */
    int32_t *cluster_of; /* [M] the cluster of each cell */
} Clusters;

/* Finds the clusters of the cells. Merges paths that meet, and modes that are closer than the bandwidth.
 * Stops after at most 100 steps. Release with clusters_clear. */
Status mean_shift(const Cells *cells, MeanShiftKernel kernel, double bandwidth, int threads, Clusters *out);
void clusters_clear(Clusters *clusters);

/* Mean shift (Comaniciu and Meer 2002) over the points of a rotation sketch, in which all triangles have
 * equal weight. To finish in seconds, paths start from, and average over, at most `samples` cells. A cell
 * is a random triangle moved to the mean of the triangles nearest to it; their number is its mass. */
#pragma once

#include "methods/decomposition/sma/rotation_sketch.h"

typedef struct Cells {
    int count;        /* M */
    double *points;   /* [M][SKETCH_SIZE] */
    double *norms;    /* [M] squared lengths of the points */
    double *masses;   /* [M] triangles */
    int32_t *cell_of; /* [triangles of the sketch] */
} Cells;

Status cells_sample(const RotationSketch *sketch, int samples, uint64_t seed, int threads, Cells *out);
void cells_clear(Cells *cells);

typedef enum MeanShiftKernel {
    KERNEL_FLAT,
    KERNEL_FAMS /* (1 - distance / bandwidth)^2, as in the public program of Georgescu, Shimshoni and Meer
                   2003 */
} MeanShiftKernel;

/* The clusters in which the paths end for one bandwidth. */
typedef struct Clusters {
    int count;           /* at least 1 */
    double *modes;       /* [count][SKETCH_SIZE] */
    double *masses;      /* [count] triangles */
    int32_t *cluster_of; /* [M] the cluster of each cell */
} Clusters;

/* Finds the clusters. Paths that meet are merged, and so are modes nearer than the bandwidth. Stops after
 * at most 100 steps. Release with clusters_clear. */
Status mean_shift(const Cells *cells, MeanShiftKernel kernel, double bandwidth, int threads, Clusters *out);
void clusters_clear(Clusters *clusters);

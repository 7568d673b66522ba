/* Smoothness of weights: a vertex pays for weights that differ from the mean of its neighbours' weights of
 * the last sweep, ||w - m||^2 over all bones times a strength. That is as if every bone had a coordinate of
 * its own, in which it predicts 1, the others 0, and the target lies at m: products of a bone with itself
 * grow by the strength, with the target by the strength times m, and every solver of weights is as before. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"

typedef struct Smoothing {
    double strength;          /* in squared units of the animation */
    const int32_t *triangles; /* [T][3] borrowed from the mesh */
    Grouping corners;         /* at every vertex: its neighbours are their triangles' other corners, */
                              /* a neighbour counting once for each triangle that has the edge to it */
    int32_t *bones;           /* [N][K] influences of all ranks' vertices before this sweep */
    double *weights;          /* [N][K] */
    double *penalties;        /* [N] what each vertex paid in this sweep */
} Smoothing;

/* Over the edges of the mesh's triangles; the mesh must outlive the smoothing. Release with
 * smoothing_clear, on failure too. */
Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength);
void smoothing_clear(Smoothing *smoothing);

/* Keeps the weights that this sweep's vertices are drawn to. */
void smoothing_keep(const ReducedModel *model);

/* mean [P] = m, the mean weights of a vertex's neighbours; its own where it has none. */
void smoothing_mean(const ReducedModel *model, int vertex, double *mean);

/* What the vertices of all ranks paid in the last sweep; 0 where weights need not be smooth. */
double smoothing_paid(const ReducedModel *model);

/* What the weights of a vertex pay. */
double smoothing_penalty(const ReducedModel *model, int vertex, const double *mean);

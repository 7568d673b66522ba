/* Smoothness of weights: a vertex pays strength ||w - m||^2 over all bones if its weights w differ from m,
 * the mean of its neighbours' weights in the last sweep. This acts as one extra coordinate per bone, in
 * which that bone predicts 1, the others 0, and the target is m. Products of a bone with itself grow by the
 * strength, those with the target by the strength times m, and the solvers of weights need no change. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"

typedef struct Smoothing {
    double strength;          /* in squared units of the animation */
    const int32_t *triangles; /* [T][3] borrowed from the mesh */
    Grouping corners;         /* at every vertex: its neighbours are the other corners of its triangles, */
                              /* counted once for each triangle at the shared edge */
    int32_t *bones;           /* [N][K] influences of the vertices of all ranks before this sweep */
    double *weights;          /* [N][K] */
    double *penalties;        /* [N] penalty of each vertex in this sweep */
} Smoothing;

/* Uses the edges of the mesh's triangles; the mesh must outlive the smoothing. Release with
 * smoothing_clear, also after a failure. */
Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength);
void smoothing_clear(Smoothing *smoothing);

/* Stores the current weights as the targets of this sweep. */
void smoothing_keep(const ReducedModel *model);

/* Computes m as mean [P], the mean weights of a vertex's neighbours, or its own weights without
 * neighbours. */
void smoothing_mean(const ReducedModel *model, int vertex, double *mean);

/* Returns the penalty of the vertices of all ranks in the last sweep; 0 without smoothing. */
double smoothing_paid(const ReducedModel *model);

/* Returns the penalty of a vertex' weights. */
double smoothing_penalty(const ReducedModel *model, int vertex, const double *mean);

/* Smoothness of weights. Let w be a vertex's weights over all bones, and m the mean of its neighbours'
 * weights in the last sweep. The penalty of the vertex is strength ||w - m||^2.
 *
 * The penalty acts as one extra coordinate per bone. In this coordinate the bone predicts 1, all other
 * bones predict 0, and the target is m. The product of a bone's prediction with itself therefore grows by
 * the strength, and its product with the target grows by the strength times m. The solvers of weights need
 * no change. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"

typedef struct Smoothing {
    double strength;          /* strength of the penalty, in squared units of the animation */
    const int32_t *triangles; /* [T][3] triangles of the mesh; not owned */
    Grouping corners;         /* triangle corners at each vertex. The other two corners of each triangle are
                                 neighbours, so a neighbour across an inner edge counts twice. */
    int32_t *bones;           /* [N][K] bones of the vertices of all ranks before this sweep */
    double *weights;          /* [N][K] */
    double *penalties;        /* [N] penalty of each vertex in this sweep */
} Smoothing;

/* Finds the neighbours of each vertex from the mesh's triangles; the mesh must outlive the smoothing.
 * Release with smoothing_clear, also after a failure. */
Status smoothing_make(Smoothing *smoothing, const Mesh *mesh, int influence_count, double strength);
void smoothing_clear(Smoothing *smoothing);

/* Stores the current weights; their means become the targets of this sweep. */
void smoothing_keep(const ReducedModel *model);

/* Computes m as mean [P]: the mean weights of a vertex's neighbours, or the vertex's own weights if it has
 * no neighbours. */
void smoothing_mean(const ReducedModel *model, int vertex, double *mean);

/* Returns the sum of the penalties of all ranks' vertices in the last sweep; 0 without smoothing. */
double smoothing_paid(const ReducedModel *model);

/* Returns the penalty of a vertex's weights. */
double smoothing_penalty(const ReducedModel *model, int vertex, const double *mean);

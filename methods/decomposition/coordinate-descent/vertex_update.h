/* The half of a sweep that solves the vertices: rest pose, then weights (FESAM 4.3 and 4.4). */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_group.h"

typedef struct VertexUpdateOptions {
    BoneChoice choice;
    bool rest_free;     /* optimise the rest pose */
    bool weights_first; /* solve weights before the rest pose; the vertices' errors are then those before the
                           rest pose moves */
    int rounds;         /* rounds of rest pose and weights per vertex; bones are chosen in the first */
    /* Extrapolate rest positions from one round to the next, until a group of eight vertices gains no more;
     * not with weights_first. */
    bool extrapolate;
    double outlier; /* A vertex of larger squared error is also solved from its first rest position, and the
                       better result kept, because a stray rest position never recovers. 0: never */
} VertexUpdateOptions;

/* Solves every vertex under the transformations of `model`, whose gram must be up to date. Threads share
 * the blocks of vertices; the results do not depend on which thread computes a block. */
Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options);

/* Measures losses [N][K]: the increase of a vertex' squared error without each of its bones
 * (vertex_group.h). The error with all bones goes to model->errors. */
Status vertices_measure_losses(ReducedModel *model, double *losses);

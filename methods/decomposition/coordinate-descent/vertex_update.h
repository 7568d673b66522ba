/* The first half of a sweep, which updates the vertices: rest pose, then weights (FESAM sections 4.3 and
 * 4.4). */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_group.h"

typedef struct VertexUpdateOptions {
    BoneChoice choice;
    bool rest_free;     /* whether the rest pose is optimised */
    bool weights_first; /* Whether weights are solved before the rest pose. If so, the stored errors are
                           measured before the rest pose moves. */
    int rounds; /* number of rounds of rest pose and weights per vertex; bones are chosen in the first round
                 */
    /* Whether rest positions are extrapolated from one round to the next. The rounds end when a group of
     * eight vertices no longer gains. Ignored if weights_first is set. */
    bool extrapolate;
    double
        outlier; /* Squared error above which a vertex is also solved from its initial rest position, because
                    a stray rest position never recovers. The better of the two results is kept. 0: never */
} VertexUpdateOptions;

/* Solves every vertex for the transformations of `model`, whose `gram` must be up to date. Threads share
 * the blocks of vertices; the results do not depend on which thread computes a block. */
Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options);

/* Measures losses [N][K]: the increase of the squared error of a vertex if each of its bones is removed
 * (vertex_group.h). The error with all bones is stored in model->errors. */
Status vertices_measure_losses(ReducedModel *model, double *losses);

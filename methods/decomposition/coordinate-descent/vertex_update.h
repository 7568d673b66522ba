/* The half of a sweep that goes vertex by vertex: rest pose, then weights (FESAM 4.3 and 4.4). */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_group.h"

typedef struct VertexUpdateOptions {
    BoneChoice choice;
    bool rest_free;     /* optimise the rest pose */
    bool weights_first; /* before the rest pose; the errors noted for the vertices are then those before it
                           moves */
    int rounds;         /* of rest pose and weights per vertex; the bones are chosen in the first */
    /* Rest positions from one round to the next, until a group of eight vertices gains no more by it; not
     * with weights_first. */
    bool extrapolate;
    double outlier; /* a vertex of more squared error is also tried from its first rest position, and the
                     * better end taken: a rest position gone astray does not come back by itself. 0: never */
} VertexUpdateOptions;

/* Solves every vertex under the transformations of `model`, whose gram must be up to date. Blocks of
 * vertices go to the threads; each block is computed the same way whichever thread has it. */
Status vertices_update(ReducedModel *model, const VertexUpdateOptions *options);

/* losses [N][K]: how much the squared error of a vertex rises when it has to do without one of its bones
 * (vertex_group.h); its error with all goes to model->errors. */
Status vertices_measure_losses(ReducedModel *model, double *losses);

/* A sample of the vertices, on which each stage of a fit searches (ladder.h). Transformations have few
 * unknowns, so a small part of the vertices suffices to find them, at a fraction of the cost. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Sampled vertices of all ranks in file order, and their model on rank 0. */
typedef struct Sample {
    int count;
    int32_t *vertices;      /* [count] */
    int32_t *regions;       /* [N of all ranks] bone of largest weight of every vertex */
    int own_first, own_end; /* range of entries of `vertices` that belong to this rank */
    double *coordinates;    /* [count][d] */
    double *rest;           /* [count][3] initial rest pose */
    ReducedModel model;     /* model whose vertices are the sample */
    RigidBones rigid;       /* motions of the model's bones if they are rigid */
} Sample;

/* Chooses about per_bone vertices evenly from the region of each bone, and copies their state in `model` to
 * a model of their own. This model uses only the leading reduced coordinates; those left out hold at most
 * `tail` of its squared error. Different values of `phase`, 0 to 1, choose different vertices. Release with
 * sample_clear, also after a failure. */
Status sample_init(Sample *sample, const ReducedModel *model, double per_bone, double phase, double tail);
void sample_clear(Sample *sample);

/* Restarts the sample's model with one bone per vertex: the bone of the nearest seed. Seeds are spread over
 * the sample (fitting/seeds.h), and `start` selects the first one. *squared_error is the error of the new
 * model. If fewer seeds than bones can be placed, the error is INFINITY and the model does not change. */
Status sample_restart(Sample *sample, uint64_t start, double *squared_error);

/* Transfers the sample's model to all vertices of `model`: copies the transformations and updates rest pose
 * and weights once. A vertex starts from the state of the nearest sampled vertex in its region. With
 * from_own, it is also solved from its own state, and the better of the two results is kept. *squared_error
 * is the error over all vertices. */
Status sample_spread(const Sample *sample, const VertexUpdateOptions *options, bool from_own,
                     ReducedModel *model, double *squared_error);

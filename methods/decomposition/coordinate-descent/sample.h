/* A sample of the vertices, on which a stage of the ladder searches (ladder.h): transformations have few
 * unknowns, so a fraction of the vertices determines them, at a fraction of the cost of a sweep. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Vertices of all ranks in the order of the file, and their model on rank 0. */
typedef struct Sample {
    int count;
    int32_t *vertices;      /* [count] */
    int32_t *regions;       /* [N of all ranks] the bone of greatest weight of every vertex */
    int own_first, own_end; /* the vertices of this rank */
    double *coordinates;    /* [count][d] */
    double *rest;           /* [count][3] of the first rest pose */
    ReducedModel model;     /* of the sample */
    RigidBones rigid;       /* of the model, where bones are rigid */
} Sample;

/* Chooses about per_bone vertices for every bone, evenly from the region of each bone, and makes them a model
 * with the state of `model`, over as many leading dimensions as leave at most `tail` of its squared error to
 * the others. Another phase, 0 to 1, chooses other vertices. Release with sample_clear, on failure too. */
Status sample_init(Sample *sample, const ReducedModel *model, double per_bone, double phase, double tail);
void sample_clear(Sample *sample);

/* The sample's model becomes that of a first start: one bone per vertex, that of the nearest of seeds spread
 * over the sample (fitting/seeds.h), `start` the first of them. *squared_error: its own; INFINITY: it has
 * fewer places for seeds than bones, and stays. */
Status sample_restart(Sample *sample, uint64_t start, double *squared_error);

/* Brings the sample's model to all vertices of `model`: its transformations, and one update of rest pose and
 * weights under them. A vertex starts from the state of the sample's nearest vertex in its region and, if
 * from_own, from its own, too: the better end counts. *squared_error: that of all vertices. */
Status sample_spread(const Sample *sample, const VertexUpdateOptions *options, bool from_own,
                     ReducedModel *model, double *squared_error);

/* The vertices of a sample by region, and where they were first. */
typedef struct SampleRegions {
    const int32_t *regions; /* [N of all ranks], not owned */
    const double *rest;     /* [count][3], not owned */
    int count;
    Grouping members; /* by their numbers in the sample */
    double *places;   /* [3][count], in the order of the members */
    double *squares;  /* [threads][count] workspace */
} SampleRegions;

/* vertices [count]: the sample; regions [N]: the one bone of every vertex of all ranks; rest [count][3]:
 * where the sample's vertices were first. Regions and rest are to last as long. Release with
 * sample_regions_clear, on failure too. */
Status sample_regions_make(const int32_t *vertices, int count, const int32_t *regions, const double *rest,
                           const ReducedModel *model, SampleRegions *out);
void sample_regions_clear(SampleRegions *regions);

/* Bones and weights of every vertex of the model become those of the nearest vertex of its region in
 * `sampled`, the sample's model. If rest poses are free it moves with that one. A vertex of a region without
 * a sample stays. */
void vertices_follow(const SampleRegions *regions, const ReducedModel *sampled, bool rest_free,
                     ReducedModel *model);

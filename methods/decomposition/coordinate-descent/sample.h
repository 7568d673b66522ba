/* A sample of the vertices, on which a stage of the ladder searches (ladder.h). Transformations have few
 * unknowns, so part of the vertices determines them, at a fraction of the cost of a sweep. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Vertices of all ranks in file order, and their model on rank 0. */
typedef struct Sample {
    int count;
    int32_t *vertices;      /* [count] */
    int32_t *regions;       /* [N of all ranks] the bone of largest weight of every vertex */
    int own_first, own_end; /* indices of this rank's vertices */
    double *coordinates;    /* [count][d] */
    double *rest;           /* [count][3] first rest pose */
    ReducedModel model;     /* model of the sample */
    RigidBones rigid;       /* used if the model's bones are rigid */
} Sample;

/* Chooses about per_bone vertices evenly from the region of each bone, and makes a model of them with the
 * state of `model`. It has the leading dimensions for which the others hold at most `tail` of its squared
 * error. Each phase, 0 to 1, chooses other vertices. Release with sample_clear, also after a failure. */
Status sample_init(Sample *sample, const ReducedModel *model, double per_bone, double phase, double tail);
void sample_clear(Sample *sample);

/* Restarts the sample's model with one bone per vertex: that of the nearest of seeds spread over the sample
 * (fitting/seeds.h), the first of which is `start`. *squared_error is the error of the new model, or
 * INFINITY if the sample has fewer places for seeds than bones; then the model stays. */
Status sample_restart(Sample *sample, uint64_t start, double *squared_error);

/* Transfers the sample's model to all vertices of `model`: its transformations, then one update of rest
 * pose and weights. A vertex starts from the state of the nearest sample vertex in its region and, with
 * from_own, also from its own state; the better result is kept. *squared_error is that of all vertices. */
Status sample_spread(const Sample *sample, const VertexUpdateOptions *options, bool from_own,
                     ReducedModel *model, double *squared_error);

/* The vertices of a sample by region, and their first positions. */
typedef struct SampleRegions {
    const int32_t *regions; /* [N of all ranks], not owned */
    const double *rest;     /* [count][3], not owned */
    int count;
    Grouping members; /* by their numbers in the sample */
    double *places;   /* [3][count] positions in the order of the members */
    double *squares;  /* [threads][count] workspace */
} SampleRegions;

/* Groups the sample: vertices [count]; regions [N], the bone of every vertex of all ranks; rest [count][3],
 * the first positions of the sample's vertices. Regions and rest must outlive it. Release with
 * sample_regions_clear, also after a failure. */
Status sample_regions_make(const int32_t *vertices, int count, const int32_t *regions, const double *rest,
                           const ReducedModel *model, SampleRegions *out);
void sample_regions_clear(SampleRegions *regions);

/* Gives every vertex of the model bones and weights of the nearest vertex of its region in `sampled`, the
 * sample's model. If rest poses are free, the vertex also moves along with it. Vertices of regions without
 * samples keep their state. */
void vertices_follow(const SampleRegions *regions, const ReducedModel *sampled, bool rest_free,
                     ReducedModel *model);

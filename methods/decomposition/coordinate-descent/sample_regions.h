/* How what was found on a sample is brought to all vertices: every vertex starts like one of its region that
 * is of the sample. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"

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

/* What the three searches share: sums of eq. 4 per vertex, filled from a surface. */
#ifndef SKINBENCH_COR_SEARCH_H
#define SKINBENCH_COR_SEARCH_H

#include "methods/skinning/cor/centers.h"
#include "methods/skinning/cor/weight_surface.h"

/* Numerator (x, y, z) and denominator of eq. 4. */
typedef struct CenterSum {
    double moment[3], mass;
} CenterSum;

typedef struct Search {
    const WeightSurface *surface;
    const CentersOptions *options;
    CenterSum *sums; /* [N], zeroed */
    int64_t evaluated;
} Search;

/* Whether the vertex is one of those asked for. */
static inline bool search_wants(const Search *search, int vertex)
{
    return search->options->stride <= 1 || vertex % search->options->stride == 0;
}

/* Eq. 1 between a vertex whose weights are spread over dense [P] and a sample's row. */
double weights_similarity(const double *dense, SparseRow row, double sigma);

/* Adds a sample of similarity s. */
static inline void center_add(CenterSum *sum, const WeightSurface *surface, int sample, double s)
{
    double mass = s * surface->areas[sample];
    for (int axis = 0; axis < 3; axis++)
        sum->moment[axis] += mass * surface->centroids[3 * (int64_t)sample + axis];
    sum->mass += mass;
}

Status search_exact(Search *search);
Status search_clustered(Search *search, int joint_count);
Status search_brute_force(Search *search, int joint_count);

#endif

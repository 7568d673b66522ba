/* Shared declarations of the searches for the surface that influences a vertex. Each search fills the sums
 * of eq. 4 from a weight surface. Sums and their rounding do not depend on the number of threads. */
#pragma once

#include "methods/skinning/cor/weight_surface.h"

/* Similarity of skinning weights (CoR eq. 1):
 *
 *   s(w_p, w_v) = sum over j != k of w_pj w_pk w_vj w_vk exp(-(w_pj w_vk - w_pk w_vj)^2 / sigma^2)
 *
 * Terms whose four weights have a negative product, which needs negative weights, are left out, so that a
 * centre never leaves the convex hull of the surface. */

/* Returns s between a vertex, given by its weights in dense [P], and a row; sigma must be positive. */
double weights_similarity(const double *dense, SparseRow row, double sigma);

/* Returns a Gaussian of the distance of weights instead, exp(-|w_p - w_v|^2 / sigma^2), as tested in CoR
 * section 5. `own` are the vertex' weights, which are also in dense. */
double weights_gaussian(SparseRow own, const double *dense, SparseRow row, double sigma);

/* Writes a row into dense [P], and sets those entries back to zero. */
void weights_scatter(SparseRow row, double *dense);
void weights_unscatter(SparseRow row, double *dense);

/* Ways to find the samples that matter to a vertex. */
typedef enum CentersSearch {
    CENTERS_EXACT,      /* every sample that shares two joints with the vertex: all non-zero terms of eq. 4 */
    CENTERS_CLUSTERED,  /* the search of the paper: similar points by clusters, then neighbours on the surface
                         */
    CENTERS_BRUTE_FORCE /* every sample: the reference for the other searches */
} CentersSearch;

typedef struct CentersOptions {
    double epsilon; /* largest difference of weights along an edge of the refined mesh */
    double sigma;   /* width of the similarity */
    double omega;   /* clustered search: radius around the vertex in weight space for seed points */
    double cutoff;  /* clustered search: stops at pieces below this similarity */
    CentersSearch search;
    bool gaussian;  /* use the Gaussian similarity of section 5 instead of eq. 1; not supported by the exact
                       search */
    bool at_points; /* integrate over the vertices' Voronoi areas (section 5), not over triangles */
    bool apart;     /* a vertex uses only the surface of its own mesh component */
    int threads;
    const Progress *progress; /* may be NULL; used by the exact search */
    int stride;               /* 0 or 1: all vertices; otherwise only every stride-th vertex gets a centre */
} CentersOptions;

/* Numerator (x, y, z) and denominator of eq. 4. */
typedef struct CenterSum {
    double moment[3], mass;
} CenterSum;

typedef struct SurfaceSearch {
    const WeightSurface *surface;
    const CentersOptions *options;
    CenterSum *sums; /* [N], zeroed */
    int64_t evaluated;
} SurfaceSearch;

/* Whether a centre of this vertex is requested. */
static inline bool search_wants(const SurfaceSearch *search, int vertex)
{
    return search->options->stride <= 1 || vertex % search->options->stride == 0;
}

/* Returns the chosen similarity of a sample (row) and a vertex whose own weights are in dense [P]. */
static inline double search_similarity(const SurfaceSearch *search, SparseRow own, const double *dense,
                                       SparseRow row)
{
    const double sigma = search->options->sigma;
    return search->options->gaussian ? weights_gaussian(own, dense, row, sigma)
                                     : weights_similarity(dense, row, sigma);
}

/* Adds a sample of similarity s. */
static inline void center_add(CenterSum *sum, const WeightSurface *surface, int sample, double s)
{
    double mass = s * surface->areas[sample];
    for (int axis = 0; axis < 3; axis++)
        sum->moment[axis] += mass * surface->centroids[3 * (int64_t)sample + axis];
    sum->mass += mass;
}

/* Computes eq. 4 exactly, skipping samples that contribute nothing. */
Status search_exact(SurfaceSearch *search);

/* The search of the paper (CoR 3.2). Clusters give the points whose weights are near those of the vertex;
 * from their pieces a breadth-first search over shared edges continues while pieces are similar. It is an
 * approximation: similar surface behind dissimilar surface is missed if it has no such point. The surface
 * must have been built with `refined`. joint_count is P of the rig. */
Status search_clustered(SurfaceSearch *search, int joint_count);

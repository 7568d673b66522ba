/* What the searches for the surface that counts for a vertex have in common: each fills the sums of eq. 4
 * from a weight surface. Sums and their rounding do not depend on the number of threads. */
#pragma once

#include "methods/skinning/cor/weight_surface.h"

/* Similarity of skinning weights (CoR eq. 1):
 *
 *   s(w_p, w_v) = sum over j != k of w_pj w_pk w_vj w_vk exp(-(w_pj w_vk - w_pk w_vj)^2 / sigma^2)
 *
 * Terms whose four weights have a negative product (only negative weights make them) count for nothing, so
 * that a centre never leaves the surface's convex hull. */

/* s between the weights dense [P] of one vertex, all joints in order, and a row, for sigma > 0. */
double weights_similarity(const double *dense, SparseRow row, double sigma);

/* A Gaussian of the distance of weights instead, exp(-|w_p - w_v|^2 / sigma^2), as CoR section 5 tries; own:
 * the vertex' weights, which are in dense. */
double weights_gaussian(SparseRow own, const double *dense, SparseRow row, double sigma);

/* Scatters a row into dense [P], and sets its places back to zero. */
void weights_scatter(SparseRow row, double *dense);
void weights_unscatter(SparseRow row, double *dense);

/* How the samples that matter to a vertex are found. */
typedef enum CentersSearch {
    CENTERS_EXACT,      /* every sample that shares two joints with it: all that eq. 4 has */
    CENTERS_CLUSTERED,  /* the paper's: similar points by clusters, from there over the surface */
    CENTERS_BRUTE_FORCE /* every sample: the truth the others are checked against */
} CentersSearch;

typedef struct CentersOptions {
    double epsilon; /* greatest difference of weights along an edge of the refined mesh */
    double sigma;   /* width of the similarity */
    double omega;   /* clustered: how far in weight space a search starts */
    double cutoff;  /* clustered: similarity below which it goes no further */
    CentersSearch search;
    bool gaussian;  /* the similarity of section 5 for eq. 1; not of the exact search */
    bool at_points; /* integrates over the vertices' Voronoi areas (section 5), not over triangles */
    bool apart;     /* a vertex sees the surface of its own mesh component alone */
    int threads;
    const Progress *progress; /* may be NULL; of the exact search */
    int stride; /* 0 or 1: all vertices; else every stride-th, the others are left without a centre */
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

/* Whether the vertex is one of those asked for. */
static inline bool search_wants(const SurfaceSearch *search, int vertex)
{
    return search->options->stride <= 1 || vertex % search->options->stride == 0;
}

/* The similarity that is asked for, of a vertex, whose own weights are in dense [P], and a sample. */
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

/* Eq. 4 exactly, without looking at what cannot count. */
Status search_exact(SurfaceSearch *search);

/* The paper's search (CoR 3.2): points whose weights are near the vertex' are found by clusters; from the
 * pieces around them a breadth-first search over common edges goes on as long as pieces are similar. What is
 * similar but beyond dissimilar surface, and holds no such point, is missed: that is the approximation.
 * The surface must have been built with `refined`. joint_count: P of the rig. */
Status search_clustered(SurfaceSearch *search, int joint_count);

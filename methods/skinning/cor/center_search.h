/* Declarations shared by the searches for the part of the surface that determines a vertex's centre. Each
 * search computes the sums of eq. 4 from a weight surface. The sums, including their rounding, do not
 * depend on the number of threads. */
#pragma once

#include "methods/skinning/cor/weight_surface.h"

/* Similarity of skinning weights (CoR eq. 1):
 *
 *   s(w_p, w_v) = sum over j != k of w_pj w_pk w_vj w_vk exp(-(w_pj w_vk - w_pk w_vj)^2 / sigma^2)
 *
 * Terms in which the product of the four weights is negative are left out, so that a centre never leaves
 * the convex hull of the surface. */

/* Returns the similarity s (above) between the weights of a vertex, dense [P], and a sparse row of weights.
 * sigma must be positive. */
double weights_similarity(const double *dense, SparseRow row, double sigma);

/* weights_scatter writes a sparse row into dense [P]; weights_unscatter sets these entries back to zero. */
void weights_scatter(SparseRow row, double *dense);
void weights_unscatter(SparseRow row, double *dense);

/* Ways to find the samples of the surface that determine a vertex's centre. */
typedef enum CentersSearch {
    CENTERS_EXACT,     /* evaluates every sample that shares two joints with the vertex, and thus all non-zero
                          terms of eq. 4 */
    CENTERS_CLUSTERED, /* search of the paper: finds similar points by clusters, then their neighbours on the
                          surface */
    CENTERS_BRUTE_FORCE /* evaluates every sample, as the reference for the other searches */
} CentersSearch;

typedef struct CentersOptions {
    double epsilon; /* maximum difference of weights along an edge of the refined mesh */
    double sigma;   /* width sigma of the similarity function */
    double omega;   /* clustered search: radius in weight space within which seed points are found */
    double cutoff;  /* clustered search: similarity below which the search does not continue */
    CentersSearch search;
    bool gaussian;  /* use the Gaussian similarity of section 5 instead of eq. 1; not supported by the exact
                       search */
    bool at_points; /* integrate over the vertices' Voronoi areas (section 5) instead of the triangles */
    bool apart;     /* a vertex uses only the surface of its own mesh component */
    int threads;
    const Progress *progress; /* reports the progress of the exact search; may be NULL */
    int stride;               /* 0 or 1: all vertices; n > 1: only every n-th vertex gets a centre */
} CentersOptions;

/* Numerator (x, y, z) and denominator of the quotient in eq. 4. */
typedef struct CenterSum {
    double moment[3], mass;
} CenterSum;

typedef struct SurfaceSearch {
    const WeightSurface *surface;
    const CentersOptions *options;
    int joint_count; /* number P of joints of the rig */
    CenterSum *sums; /* [N], zeroed */
    int64_t evaluated;
} SurfaceSearch;

/* Returns whether the options request a centre for this vertex. */
static inline bool search_wants(const SurfaceSearch *search, int vertex)
{
    return search->options->stride <= 1 || vertex % search->options->stride == 0;
}

/* Returns the similarity of a sample to a vertex, by the function that the options choose. `row` holds the
 * weights of the sample; `vertex_row` and dense [P] both hold the weights of the vertex. */
double search_similarity(const SurfaceSearch *search, SparseRow vertex_row, const double *dense,
                         SparseRow row);

/* Adds a sample with similarity s to the sums. */
static inline void center_add(CenterSum *sum, const WeightSurface *surface, int sample, double s)
{
    double mass = s * surface->areas[sample];
    for (int axis = 0; axis < 3; axis++)
        sum->moment[axis] += mass * surface->centroids[3 * (int64_t)sample + axis];
    sum->mass += mass;
}

/* Computes eq. 4 exactly, skipping samples that contribute nothing. */
Status search_exact(SurfaceSearch *search);

/* Searches as in the paper (CoR 3.2). Triangles are divided into pieces small enough that weights hardly
 * change on each. Clusters give the points whose weights are near those of the vertex. A breadth-first
 * search starts at the pieces around these points and crosses edges between pieces that are similar to the
 * vertex. The result is approximate: similar surface behind dissimilar surface is found only if it contains
 * a starting point. The surface must have been built with `refined`. */
Status search_clustered(SurfaceSearch *search);

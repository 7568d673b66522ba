/* Centres of rotation (CoR eq. 1 and 4): for every vertex the mean of the surface's points, weighted by area
 * and by how similar their skinning weights are to the vertex' own.
 *
 *   s(w_p, w_v) = sum over j != k of w_pj w_pk w_vj w_vk exp(-(w_pj w_vk - w_pk w_vj)^2 / sigma^2)
 *
 * Terms whose four weights have a negative product (only negative weights make them) count for nothing, so
 * that a centre never leaves the surface's convex hull. */
#ifndef SKINBENCH_COR_CENTERS_H
#define SKINBENCH_COR_CENTERS_H

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

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
    bool apart; /* a vertex sees the surface of its own mesh component alone */
    int threads;
    int stride; /* 0 or 1: all vertices; else every stride-th, the others are left without a centre */
} CentersOptions;

typedef struct CentersReport {
    int sample_count;  /* triangles of the refined mesh */
    int with_center;   /* vertices that have one */
    int64_t evaluated; /* terms of eq. 1 (exact) or samples (the others) looked at */
} CentersReport;

/* centers [N][3] in file order. A vertex without a centre (no surface shares two of its joints; a single
 * influence) gets its own rest position, about which the runtime (CoR Algorithm 1) is linear blending.
 * The result does not depend on the number of threads. `report` may be NULL. Errors: those of
 * weight_surface_build;
 * */
Status centers_compute(const Mesh *mesh, const Rig *rig, const CentersOptions *options, double *centers,
                       CentersReport *report);

#endif

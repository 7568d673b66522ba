/* Centres of rotation (CoR eq. 4). The centre of a vertex is the mean of the surface's points, weighted by
 * area and by the similarity of their skinning weights to those of the vertex (center_search.h). */
#pragma once

#include "methods/skinning/cor/center_search.h"

typedef struct CentersReport {
    int sample_count;  /* triangles of the refined mesh */
    int with_center;   /* number of vertices with a centre */
    int64_t evaluated; /* number of evaluated terms of eq. 1 (exact search) or samples (other searches) */
} CentersReport;

/* Computes centers [N][3] in file order. A vertex has no centre if it has a single influence or if no
 * surface shares two of its joints. Its rest position is stored instead, so CoR Algorithm 1 moves it by
 * linear blending. The result does not depend on the number of threads. `report` may be NULL. Fails like
 * weight_surface_init. */
Status centers_compute(const Mesh *mesh, const Rig *rig, const CentersOptions *options, double *centers,
                       CentersReport *report);

/* Centres of rotation (CoR eq. 4): for every vertex the mean of the surface's points, weighted by area and by
 * how similar their skinning weights are to the vertex' own (center_search.h). */
#pragma once

#include "methods/skinning/cor/center_search.h"

typedef struct CentersReport {
    int sample_count;  /* triangles of the refined mesh */
    int with_center;   /* vertices that have one */
    int64_t evaluated; /* terms of eq. 1 (exact) or samples (the others) looked at */
} CentersReport;

/* centers [N][3] in file order. A vertex without a centre (no surface shares two of its joints; a single
 * influence) gets its own rest position, about which the runtime (CoR Algorithm 1) is linear blending.
 * The result does not depend on the number of threads. `report` may be NULL. Errors: those of
 * weight_surface_init. */
Status centers_compute(const Mesh *mesh, const Rig *rig, const CentersOptions *options, double *centers,
                       CentersReport *report);

/* Finds the first bones and weights (FESAM section 4.1). Regions grow around seeds that are spread over the
 * rest pose (fitting/seeds.h). A vertex joins the region whose seed predicts it best by its deformation
 * gradient. */
#pragma once

#include "methods/fitting/seeds.h"
#include "methods/reduction/reduction.h"

typedef struct RegionGrowing {
    const Mesh *mesh;           /* supplies triangles; its rest pose is not used */
    const Animation *animation; /* the target */
    const Reduction *reduction;
    const double *rest;          /* [N][3] rest pose of the vertices of all ranks in the units of the model */
    double rest_unit;            /* length of a unit of the model in units of the animation */
    const double *squared_norms; /* [n] squared norms of the reduced trajectories of this rank's vertices */
    const Ranks *ranks;          /* NULL: alone */
    int threads;                 /* at least 1 */
} RegionGrowing;

/* Assigns every vertex of all ranks to one seed: bones [N]. Regions grow along edges, smallest prediction
 * error first. Vertices that no region reaches (other components, isolated vertices) go to the seed that
 * predicts them best. All ranks predict the errors [N][P], but rank 0 alone grows the regions, because each
 * claim depends on all claims before it. */
Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones);

/* Places seeds at the vertices whose motion the previous seeds predict worst. It works as skin_fit_reseed
 * (methods/fitting/motion_seeds.h), but the predictions are maps of triangles. bones [n] receives the seed,
 * out of at most `wanted`, that predicts each vertex of this rank best. */
Status motion_seeds_place(const RegionGrowing *input, int wanted, int32_t *bones);

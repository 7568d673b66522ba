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
 * error first. Vertices that no region reaches go to the seed that predicts them best. All ranks predict
 * the errors [N][P]. Rank 0 alone grows the regions, because each vertex that a region takes affects all
 * later choices. */
Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones);

/* Places each seed at the vertex whose motion the previous seeds predict worst. In contrast to
 * skin_fit_reseed (methods/fitting/motion_seeds.h), motion is predicted by maps of triangles. bones [n]
 * receives, for each vertex of this rank, the seed that predicts it best. There are at most `wanted`
 * seeds. */
Status motion_seeds_place(const RegionGrowing *input, int wanted, int32_t *bones);

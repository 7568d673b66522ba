/* Finds the first bones and weights (FESAM section 4.1): regions grow around seeds spread over the rest
 * pose (fitting/seeds.h), by how well the deformation gradient of a seed predicts a vertex. */
#pragma once

#include "methods/fitting/seeds.h"
#include "methods/reduction/reduction.h"

typedef struct RegionGrowing {
    const Mesh *mesh;           /* only triangles are read, not the rest pose */
    const Animation *animation; /* the target */
    const Reduction *reduction;
    const double *rest;          /* [N][3] rest pose of the vertices of all ranks in the units of the model */
    double rest_unit;            /* length of such a unit in units of the animation */
    const double *squared_norms; /* [n] of the reduced trajectories of this rank's share */
    const Ranks *ranks;          /* NULL: alone */
    int threads;                 /* at least 1 */
} RegionGrowing;

/* Assigns every vertex of all ranks to one seed: bones [N]. Each claim depends on all claims before it, so
 * rank 0 grows the regions alone, from the errors [N][P] predicted by all ranks. Regions grow along edges,
 * smallest prediction error first. Vertices that no region reaches (other components, isolated vertices) go
 * to the seed that predicts them best. */
Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones);

/* Seeds where motion is served worst, as skin_fit_reseed (methods/fitting/motion_seeds.h) has them, but by
 * the maps of triangles. bones [n] becomes the seed that predicts each vertex of this rank best; *count: up
 * to `wanted` seeds. */
Status motion_seeds_place(const RegionGrowing *input, int wanted, int32_t *bones, int *count);

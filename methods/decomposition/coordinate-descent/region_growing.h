/* First bones and first weights (FESAM section 4.1): around seeds spread over the rest pose (fitting/seeds.h)
 * regions are grown by how well the deformation gradient of a seed predicts. */
#pragma once

#include "methods/fitting/seeds.h"
#include "methods/reduction/reduction.h"

typedef struct RegionGrowing {
    const Mesh *mesh;           /* triangles; its rest pose is not read */
    const Animation *animation; /* the target */
    const Reduction *reduction;
    const double *rest;          /* [N][3] rest pose of all ranks' vertices in the units of the model */
    double rest_unit;            /* the length of such a unit in units of the animation */
    const double *squared_norms; /* [n] of the reduced trajectories of this rank's share */
    const Ranks *ranks;          /* NULL: alone */
    int threads;                 /* at least 1 */
} RegionGrowing;

/* Assigns every vertex of all ranks to one seed: bones [N]. Which vertex is claimed next hangs on all before,
 * so rank 0 grows the regions alone, from the errors [N][P] that the ranks predict. Regions grow along edges,
 * the vertex of least prediction error first; what no region reaches (other components, single vertices) goes
 * to the seed that predicts it best.
 */
Status regions_grow(const RegionGrowing *input, const Seeds *seeds, int32_t *bones);

/* Seeds where motion is served worst, as skin_fit_reseed (methods/fitting/motion_seeds.h) has them, but by
 * the maps of triangles. bones [n] becomes the seed that predicts each vertex of this rank best; *count: up
 * to `wanted` seeds. */
Status motion_seeds_place(const RegionGrowing *input, int wanted, int32_t *bones, int *count);

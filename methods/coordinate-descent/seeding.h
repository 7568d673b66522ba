/* First bones and first weights (FESAM section 4.1): seeds spread over the rest pose by the p-center
 * heuristic, then regions grown around them by how well the deformation gradient of a seed predicts. */
#ifndef SKINBENCH_COORDINATE_DESCENT_SEEDING_H
#define SKINBENCH_COORDINATE_DESCENT_SEEDING_H

#include "methods/coordinate-descent/descent.h"
#include "methods/reduction/reduction.h"

typedef struct SeedingInput {
    const Mesh *mesh;           /* triangles; its rest pose is not read */
    const Animation *animation; /* the target */
    const Reduction *reduction;
    const double *rest;          /* [N][3] rest pose in the units of the descent */
    double rest_unit;            /* the length of such a unit in units of the animation */
    const double *squared_norms; /* [N] of the reduced trajectories */
} SeedingInput;

/* Seeds: where the farthest-point heuristic puts up to `wanted` of them. Candidates are the triangles with an
 * area in the rest pose, or all vertices where there are fewer such triangles than seeds are wanted. */
typedef struct Seeds {
    int count;        /* at most `wanted`: candidates at one place count once; at least 1 */
    int32_t *corners; /* [count][3] vertices of the seed triangle; one vertex three times where it is one */
} Seeds;

Status seeds_place(const SeedingInput *input, int wanted, Seeds *seeds);
void seeds_clear(Seeds *seeds);

/* Assigns every vertex to one seed: bones [N]. Regions grow along edges, the vertex of least prediction error
 * first; what no region reaches (other components, single vertices) goes to the seed that predicts it best.
 */
Status regions_grow(const SeedingInput *input, const Seeds *seeds, int32_t *bones);

#endif

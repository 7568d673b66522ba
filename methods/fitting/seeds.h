/* Spreads seeds over a rest pose by the p-center heuristic (FESAM section 4.1): each new seed is the point
 * farthest from the seeds before it. Shared by methods that start from evenly spread bones. */
#pragma once

#include "datasets/model/dataset.h"

/* Seeds placed by the farthest-point heuristic, up to `wanted`, at most one per vertex. Candidates are the
 * triangles with an area in the rest pose. If there are fewer such triangles than seeds wanted, the
 * vertices are the candidates. */
typedef struct Seeds {
    int count;        /* number of seeds, 1 to `wanted`; it is smaller if candidates coincide */
    int32_t *corners; /* [count][3] vertices of each seed triangle; a seed that is a vertex repeats it three
                         times */
} Seeds;

/* Distance by which seeds are placed. The paper leaves the distance and the first seed open. */
typedef enum SeedRule {
    SEEDS_STRAIGHT,    /* straight distances; on a tie, the order of the file decides */
    SEEDS_ALONG_EDGES, /* distances along edges to the vertices of a triangle, and from there to its centre;
                          unconnected parts are infinitely far apart */
    SEEDS_BY_PLACE     /* straight distances; the result does not depend on the order of the file */
} SeedRule;

/* Places seeds by the given rule. Reads only the faces of `mesh`; rest [N][3] is the rest pose, in any
 * unit. `start` selects the first seed: 0 is a candidate at an end of the mesh; other values spread evenly
 * over all candidates. Release with seeds_clear. */
Status seeds_place(const Mesh *mesh, const double *rest, SeedRule rule, int wanted, uint64_t start,
                   Seeds *seeds);
void seeds_clear(Seeds *seeds);
DEFINE_OWNED_BY(Seeds, seeds_clear)

/* Returns the start for a fit's random seed (DecompositionOptions): 0 for the default seed, which is 1. */
static inline uint64_t seeds_start(uint64_t seed)
{
    return seed > 0 ? seed - 1 : 0;
}

/* Assigns `vertex_count` vertices, beginning with `first`, to the seed with the nearest centre: groups
 * [vertex_count]. On a tie the lowest seed wins. */
void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups);

/* Spreads seeds over a rest pose by the p-center heuristic (FESAM section 4.1): each new seed is the point
 * farthest from the seeds before it. Shared by methods that start from evenly spread bones. */
#pragma once

#include "datasets/model/dataset.h"

/* Seeds placed by the farthest-point heuristic, up to `wanted`, at most one per vertex. Candidates are the
 * triangles with an area in the rest pose, or all vertices if there are fewer such triangles than seeds
 * wanted. */
typedef struct Seeds {
    int count; /* 1 to `wanted`: coincident candidates count once */
    int32_t
        *corners; /* [count][3] vertices of the seed triangle; a seed that is a vertex has it three times */
} Seeds;

/* How seeds are placed. The paper leaves the first seed and the distance open. */
typedef enum SeedRule {
    SEEDS_STRAIGHT,    /* by straight distances, candidates in the order of the file */
    SEEDS_ALONG_EDGES, /* by distances along edges between the vertices of triangles, and from these to the
                        * middles; parts that no edge joins are infinitely far apart */
    SEEDS_BY_PLACE     /* by straight distances; the order of the file has no part in it */
} SeedRule;

/* Reads only the faces of `mesh`; rest [N][3] is the rest pose, in any unit. The first seed, `start`, is 0
 * for an end of the mesh, else one of a million candidates that spread evenly however many are tried. Release
 * with seeds_clear. */
Status seeds_place(const Mesh *mesh, const double *rest, SeedRule rule, int wanted, uint64_t start,
                   Seeds *seeds);
void seeds_clear(Seeds *seeds);
DEFINE_OWNED_BY(Seeds, seeds_clear)

/* The start for a fit's random seed (DecompositionOptions): 0 for the default seed, 1. */
static inline uint64_t seeds_start(uint64_t seed)
{
    return seed > 0 ? seed - 1 : 0;
}

/* Assigns the vertices from `first` on to the seed whose centre is nearest: groups [vertex_count]. Ties go
 * to the lowest seed. */
void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups);

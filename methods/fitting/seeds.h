/* Spreads seeds over a rest pose by the p-center heuristic (FESAM section 4.1): each new seed is the point
 * farthest from all previous seeds. Used by all methods that start from evenly spread bones. */
#pragma once

#include "datasets/model/dataset.h"

/* Seed triangles placed by the farthest-point heuristic: up to `wanted`, and at most one per vertex.
 * Candidates are the triangles with an area in the rest pose. If there are fewer such triangles than seeds
 * wanted, the vertices are the candidates. */
typedef struct Seeds {
    int count;        /* number of seeds, 1 to `wanted`; it is smaller if candidates coincide */
    int32_t *corners; /* [count][3] vertices of each seed triangle; a seed that is a vertex repeats it three
                         times */
} Seeds;

/* Kind of distance by which seeds are placed. The paper specifies neither the distance nor the first
 * seed. */
typedef enum SeedRule {
    SEEDS_STRAIGHT, /* straight distances; on a tie, the candidate that comes first in the file is chosen */
    SEEDS_ALONG_EDGES, /* Distances along edges to the corners of a triangle, and from there to its centre.
                          The distance between triangles that are not connected is infinite. */
    SEEDS_BY_PLACE     /* straight distances; the result does not depend on the order of the file */
} SeedRule;

/* Places seeds by the given rule. Reads only the faces of `mesh`; rest [N][3] is the rest pose, in any
 * unit. `start` selects the first seed. For start 0, the first seed is at an end of the mesh; other values
 * are spread evenly over all candidates. Release with seeds_clear. */
Status seeds_place(const Mesh *mesh, const double *rest, SeedRule rule, int wanted, uint64_t start,
                   Seeds *seeds);
void seeds_clear(Seeds *seeds);
DEFINE_OWNED_BY(Seeds, seeds_clear)

/* Converts a fit's random seed (DecompositionOptions) to `start`, the number that selects the first seed
 * triangle. The default random seed, 1, gives 0. */
static inline uint64_t seeds_start(uint64_t seed)
{
    return seed > 0 ? seed - 1 : 0;
}

/* Assigns `vertex_count` vertices, from vertex `first` on, to the seed with the nearest centre: groups
 * [vertex_count]. On a tie the seed with the lowest index wins. */
void seeds_nearest(const Seeds *seeds, const double *rest, int first, int vertex_count, int32_t *groups);

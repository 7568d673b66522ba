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

/* Places seeds on rest [N][3], a rest pose in any unit; only the faces of `mesh` are used. A `start` of 0
 * begins at an extremity of the mesh, the candidate farthest from the first one. Other values choose one of
 * a million starts that are evenly spread however many are tried. Release with seeds_clear. */
Status seeds_place(const Mesh *mesh, const double *rest, int wanted, uint64_t start, Seeds *seeds);
/* Places seeds by distances along edges, another reading of the text: between the vertices of triangles,
 * and from these to the centres. Disconnected parts are infinitely far apart. */
Status seeds_place_along_edges(const Mesh *mesh, const double *rest, int wanted, uint64_t start,
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

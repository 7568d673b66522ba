/* Connectivity of triangles: the corners at each vertex, neighbours along edges, and edges with the number
 * of triangles in each direction. N is the number of vertices, T of triangles; triangles [T][3] are vertex
 * numbers. Corner 3 t + i is corner i of triangle t. */
#pragma once

#include "datasets/base/grouping.h"
#include <stdbool.h>

/* Groups the corners by vertex. All vertex numbers must be in range. Release with grouping_clear. */
static inline Status corners_at_vertices(const int32_t *triangles, int triangle_count, int vertex_count,
                                         Grouping *out)
{
    return grouping_init(triangles, 3 * (size_t)triangle_count, vertex_count,
                         "the neighbours of the vertices", out);
}

/* Returns a neighbour of vertex v along an edge. `side` runs from 2 first[v] to 2 first[v + 1] - 1. Each
 * neighbour occurs once for each triangle at the common edge. */
static inline int32_t vertex_neighbour(const int32_t *triangles, const Grouping *corners, int64_t side)
{
    int32_t corner = corners->members[side / 2], first = corner - corner % 3;
    return triangles[first + (corner - first + 1 + (int32_t)(side % 2)) % 3];
}

/* An undirected edge. */
typedef struct MeshEdge {
    int32_t low, high; /* vertices, low < high */
    int32_t forwards;  /* number of triangles in which the edge runs from low to high */
    int32_t backwards; /* number of triangles in which the edge runs from high to low */
} MeshEdge;

/* Lists every edge once in *edges [*count], sorted by `low`, then by `high`. Skips triangles with a vertex
 * out of range, and sides from a vertex to itself. STATUS_SYSTEM if out of memory. Release *edges with
 * memory_free. */
Status mesh_edges_make(const int32_t *triangles, int triangle_count, int vertex_count, MeshEdge **edges,
                       int *count);

/* Returns the edge between two vertices in a list from mesh_edges_make, or NULL if there is none. */
const MeshEdge *mesh_edge_find(const MeshEdge *edges, int count, int32_t one, int32_t other);

/* Finds the pieces of a mesh whose vertices are connected by triangles. Makes parents [N] a forest of which
 * union_find_root returns the lowest vertex of a piece. All vertex numbers must be in range. */
static inline void mesh_pieces_find(const int32_t *triangles, int triangle_count, int vertex_count,
                                    int32_t *parents)
{
    union_find_init(parents, vertex_count);
    for (int64_t corner = 0; corner < 3 * (int64_t)triangle_count; corner++)
        union_find_union(parents, triangles[corner - corner % 3], triangles[corner]);
}

/* Whether the three vertex numbers of a triangle are in range. */
static inline bool triangle_in_range(const int32_t corners[3], int vertex_count)
{
    for (int i = 0; i < 3; i++)
        if (corners[i] < 0 || corners[i] >= vertex_count)
            return false;
    return true;
}

/* Returns the first corner whose vertex number is out of range, or -1 if all are in range. */
static inline int64_t corner_out_of_range(const int32_t *triangles, int triangle_count, int vertex_count)
{
    for (int64_t i = 0; i < 3 * (int64_t)triangle_count; i++)
        if (triangles[i] < 0 || triangles[i] >= vertex_count)
            return i;
    return -1;
}

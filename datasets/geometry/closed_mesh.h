/* A closed triangle surface that can be edited edge by edge and stays closed: every edge has two triangles
 * with consistent orientation. Half-edge 3 t + i runs from corner i of triangle t to the next corner.
 * Removed triangles and vertices stay in the arrays until closed_mesh_compact is called. */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/geometry/vec3.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ClosedMesh {
    Vec3 *points;     /* [vertex_count] */
    int32_t *edge_of; /* [vertex_count] one half-edge that leaves each vertex; -1: the vertex is removed */
    int32_t *corners; /* [3 triangle_count] vertex where each half-edge starts; -1: its triangle is removed */
    int32_t *twins;   /* [3 triangle_count] twin of each half-edge, in the opposite direction */
    int vertex_count, vertex_capacity, vertices_alive;
    int triangle_count, triangle_capacity;
} ClosedMesh;

static inline int32_t edge_next(int32_t edge)
{
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static inline int32_t edge_previous(int32_t edge)
{
    return edge % 3 == 0 ? edge + 2 : edge - 1;
}

static inline int32_t edge_start(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->corners[edge];
}

static inline int32_t edge_end(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->corners[edge_next(edge)];
}

/* Returns the corner opposite an edge, in the triangle to which the half-edge belongs. */
static inline int32_t edge_apex(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->corners[edge_previous(edge)];
}

/* Returns the next half-edge that leaves the same vertex. Repeated calls visit all of these half-edges and
 * return to the first, as FOR_EDGES_AT does. */
static inline int32_t edge_around(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->twins[edge_previous(edge)];
}
#define FOR_EDGES_AT(mesh, vertex, edge)                                                                     \
    for (int32_t edge = (mesh)->edge_of[vertex], end_ = -1; edge != end_;                                    \
         end_ = (mesh)->edge_of[vertex], edge = edge_around(mesh, edge))

/* Copies points [vertex_count] and triangles [triangle_count][3], and allocates space for `more` vertices
 * that closed_mesh_split will add. STATUS_BAD_INPUT if the surface is not closed or its orientation is
 * inconsistent, STATUS_SYSTEM if out of memory. Release with closed_mesh_clear. */
Status closed_mesh_init(const Vec3 *points, int vertex_count, const int32_t *triangles, int triangle_count,
                        int more, ClosedMesh *out);
void closed_mesh_clear(ClosedMesh *mesh);

/* Merges both ends of an edge at `point`, and removes the edge, its end vertex and its two triangles.
 * Returns false and changes nothing if the surface would not stay closed, or if a triangle would turn by
 * more than about 80 degrees. The surface stays closed if the two ends have only the opposite corners as
 * common neighbours, and if these corners have other edges. */
bool closed_mesh_collapse(ClosedMesh *mesh, int32_t edge, Vec3 point);

/* Inserts a vertex at `point` on an edge, which adds two triangles. Returns the number of the vertex. The
 * caller must have requested enough space from closed_mesh_init. */
int32_t closed_mesh_split(ClosedMesh *mesh, int32_t edge, Vec3 point);

/* Flips an edge, so that it joins the two opposite corners. Returns false and changes nothing if these
 * corners are joined already, if an end of the edge would keep fewer than three edges, or if the two
 * triangles are not roughly coplanar before and after. */
bool closed_mesh_flip(ClosedMesh *mesh, int32_t edge);

/* Removes the gaps left by removed vertices and triangles. All other vertices and triangles keep their
 * order. */
Status closed_mesh_compact(ClosedMesh *mesh);

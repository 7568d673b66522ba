/* A closed surface of triangles that can be changed edge by edge and stays closed: every edge has two
 * triangles, which turn the same way. Half-edge 3 t + i runs from corner i of triangle t to the next. Removed
 * triangles and vertices stay in the arrays until closed_mesh_compact. */
#ifndef SKINBENCH_GEOMETRY_CLOSED_MESH_H
#define SKINBENCH_GEOMETRY_CLOSED_MESH_H

#include "datasets/base/memory.h"
#include "datasets/geometry/vec3.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ClosedMesh {
    Vec3 *points;     /* [vertex_count] */
    int32_t *edge_of; /* [vertex_count] a half-edge that leaves the vertex, -1: it is removed */
    int32_t
        *corners;   /* [3 triangle_count] the vertex where a half-edge starts, -1: its triangle is removed */
    int32_t *twins; /* [3 triangle_count] the half-edge that runs the other way */
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

/* The corner across from an edge, in its triangle. */
static inline int32_t edge_apex(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->corners[edge_previous(edge)];
}

/* The next half-edge that leaves the same vertex; going on comes back to the first. */
static inline int32_t edge_around(const ClosedMesh *mesh, int32_t edge)
{
    return mesh->twins[edge_previous(edge)];
}

/* Copies points [vertex_count] and triangles [triangle_count][3], with capacity for `more` further vertices
 * by closed_mesh_split. STATUS_BAD_INPUT where the surface is not closed, or turns differently on the two
 * sides of an edge; STATUS_SYSTEM when out of memory. Release with closed_mesh_clear. */
Status closed_mesh_init(const Vec3 *points, int vertex_count, const int32_t *triangles, int triangle_count,
                        int more, ClosedMesh *out);
void closed_mesh_clear(ClosedMesh *mesh);

/* Puts both ends of an edge at `point` and removes it, its end and its two triangles, where the surface stays
 * closed (the ends have the two corners across and no other neighbour in common, and these have other edges
 * besides) and no triangle around turns by more than about 80 degrees. Returns whether it did; nothing
 * changes otherwise. */
bool closed_mesh_collapse(ClosedMesh *mesh, int32_t edge, Vec3 point);

/* Puts a new vertex at `point` on an edge: two triangles more. Returns its number. There must be capacity. */
int32_t closed_mesh_split(ClosedMesh *mesh, int32_t edge, Vec3 point);

/* Turns an edge to join the corners across from it, where they are not joined yet, both ends keep three
 * edges, and the two triangles lie and come to lie about in a plane. Returns whether it did. */
bool closed_mesh_flip(ClosedMesh *mesh, int32_t edge);

/* Closes the gaps that removed vertices and triangles left; what is left keeps its order. */
Status closed_mesh_compact(ClosedMesh *mesh);

#endif

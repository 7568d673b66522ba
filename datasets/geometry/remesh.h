/* Brings a closed surface to an exact number of vertices and its triangles to an even shape. */
#ifndef SKINBENCH_GEOMETRY_REMESH_H
#define SKINBENCH_GEOMETRY_REMESH_H

#include "datasets/base/progress.h"
#include "datasets/geometry/closed_mesh.h"

/* The surface that vertices are to stand on, and how long edges are to be, one against another. */
typedef struct RemeshSurface {
    Vec3 (*project)(const void *context, Vec3 point);
    double (*length)(const void *context, Vec3 point); /* above 0; only ratios matter */
    const void *context;
} RemeshSurface;

/* Vertices that closed_mesh_init needs capacity for, of a surface of `vertex_count` that is to have
 * `wanted`. */
int remesh_capacity(int vertex_count, int wanted);

/* Brings the surface to `wanted` vertices and its edges to the lengths they should have. It stays closed and
 * of its genus; the same bits on every run. STATUS_USAGE: the surface cannot have so few vertices.
 * STATUS_STOPPED, STATUS_SYSTEM as usual. */
Status closed_mesh_remesh(ClosedMesh *mesh, int wanted, const RemeshSurface *surface,
                          const Progress *progress);

#endif

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

/* Collapses the edges that are shortest for what they should be, to half of the vertices (of fewer than 64,
 * to none) or to `wanted`, whichever is less; splits the longest up to `wanted`; then flips edges towards the
 * Delaunay triangulation and moves vertices within the surface to the middle of their neighbours, in turns.
 * The surface stays closed and of its genus; one order of steps, so the same bits on every run. STATUS_USAGE
 * where the surface cannot have so few vertices, STATUS_STOPPED, STATUS_SYSTEM. */
Status closed_mesh_remesh(ClosedMesh *mesh, int wanted, const RemeshSurface *surface,
                          const Progress *progress);

#endif

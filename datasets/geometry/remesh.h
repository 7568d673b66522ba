/* Gives a closed surface an exact number of vertices and well-shaped triangles. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/geometry/closed_mesh.h"

/* The surface onto which vertices are projected, and the relative lengths of edges on it. */
typedef struct RemeshSurface {
    Vec3 (*project)(const void *context, Vec3 point);
    double (*length)(
        const void *context,
        Vec3 point); /* wanted edge length at a point, positive; only the ratios of lengths matter */
    const void *context;
} RemeshSurface;

/* Returns the vertex capacity that closed_mesh_init needs for a surface with `vertex_count` vertices that
 * will be remeshed to `wanted` vertices. */
int remesh_capacity(int vertex_count, int wanted);

/* Remeshes the surface to `wanted` vertices with edges of the given relative lengths. The surface stays
 * closed and keeps its genus; every run gives the same bits. STATUS_USAGE if the surface cannot have so few
 * vertices. STATUS_STOPPED if the work should stop, STATUS_SYSTEM if out of memory. */
Status closed_mesh_remesh(ClosedMesh *mesh, int wanted, const RemeshSurface *surface,
                          const Progress *progress);

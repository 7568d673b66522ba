/* Closed tubes made of rings, from which bodies are generated. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct TubeRing {
    Vec3 center;
    Vec3 u, v; /* orthonormal; u x v points to the next ring */
    double radius_u, radius_v;
    int vertices; /* at least 3; neighbouring rings may have different numbers of vertices */
    bool square;  /* the outline is an ellipse or, if this is set, a rectangle of sides 2 radius_u and 2
                     radius_v */
} TubeRing;

/* Fills mesh->rest and mesh->triangles. Starts at *vertex and *triangle, and advances both past the tube.
 * Faces are counter-clockwise seen from outside. The vertices are stored ring by ring, each ring from
 * direction u towards v. The centres of the first and last cap come last. */
void tube_fill(const TubeRing *rings, int ring_count, Mesh *mesh, int *vertex, int *triangle);

/* Allocates a mesh that is one tube, and fills it. */
Status tube_mesh_make(const TubeRing *rings, int ring_count, Mesh *mesh);

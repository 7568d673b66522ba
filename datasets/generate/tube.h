/* Closed tubes of rings, the material of generated bodies. */
#pragma once

#include "datasets/model/dataset.h"

typedef struct TubeRing {
    Vec3 center;
    Vec3 u, v; /* orthonormal; u x v points to the next ring */
    double radius_u, radius_v;
    int vertices; /* at least 3; neighbouring rings may differ */
    bool square;  /* the outline of a square of side 2 radius_u by 2 radius_v instead of an ellipse */
} TubeRing;

/* Fills mesh->rest and mesh->triangles from the given vertex and triangle on, which are stepped past the
 * tube. Faces are counter-clockwise seen from outside. The first ring's vertices come first, each from
 * direction u towards v; then the middles of the first and last cap. */
void tube_fill(const TubeRing *rings, int ring_count, Mesh *mesh, int *vertex, int *triangle);

/* Allocates a mesh that is one tube, and fills it. */
Status tube_mesh_make(const TubeRing *rings, int ring_count, Mesh *mesh);

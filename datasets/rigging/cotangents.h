/* Computes the cotangent weights of a surface's edges, and the areas of its vertices. */
#pragma once

#include "datasets/geometry/topology.h"
#include "datasets/model/dataset.h"

/* Returns half the sum of the cotangents of the corners opposite an edge, within 1e-3 and 1e3. `corners` are
 * those at the vertices (corners_at_vertices). */
double cotangent_weight(const Mesh *mesh, const Grouping *corners, const MeshEdge *edge);

/* Fills areas [N], zero on entry, with a third of the area of the adjacent triangles, or 1 without area. */
void vertex_areas(const Mesh *mesh, double *areas);

/* The surface of a mesh without its seams. If a vertex has several texture coordinates or normals, files
 * store it as several vertices, called twins. Algorithms that use the neighbours of a vertex need its twins
 * as one vertex. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

/* Maps the N vertices of a file to W welded vertices. Welded vertices are numbered in the order of their
 * lowest twins. */
typedef struct Welding {
    int vertex_count;   /* N */
    int32_t *welded_of; /* [N] welded vertex of each vertex of the file */
    int32_t *vertex_of; /* [W] lowest twin of each welded vertex */
    Mesh mesh;          /* welded surface: W vertices, and the triangles of the file renumbered */
} Welding;

/* Welds twins along seams. Twins are welded if they have the same rest position and the same weights (to
 * 1e-6), and lie on open edges that coincide. Edges whose triangles lie on top of each other are the rims
 * of two layers and are not welded. If `rig` is NULL, weights are ignored. The vertex numbers of triangles
 * must be in range. Release with welding_clear. */
Status welding_find(const Mesh *mesh, const Rig *rig, Welding *out);

/* Welds all vertices that have the same position at rest and in every frame, regardless of their triangles.
 * The animation has only the vertices of this rank, but the result is the same on all ranks. */
Status welding_find_in_motion(const Mesh *mesh, const Animation *animation, const Ranks *ranks, Welding *out);

/* Whether any vertices are welded. */
static inline bool welding_joins(const Welding *welding)
{
    return welding->mesh.vertex_count < welding->vertex_count;
}

/* Returns the lowest twin of a vertex of the file. */
static inline int32_t welding_lowest(const Welding *welding, int32_t vertex)
{
    return welding->vertex_of[welding->welded_of[vertex]];
}

void welding_clear(Welding *welding);

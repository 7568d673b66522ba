/* The surface of a mesh without its seams. Files split a vertex that has several texture coordinates or
 * normals into twins; whatever looks at neighbours needs them as one. */
#pragma once

#include "datasets/base/ranks.h"
#include "datasets/model/dataset.h"

/* N vertices of the file, W welded ones. Both arrays ascend with the lowest twin. */
typedef struct Welding {
    int vertex_count;   /* N */
    int32_t *welded_of; /* [N] the welded vertex of each */
    int32_t *vertex_of; /* [W] the lowest twin of each */
    Mesh mesh;          /* the welded surface: W vertices, the triangles of the file */
} Welding;

/* Welds twins along seams: they have one rest place and the same weights (to 1e-6), and open edges of theirs
 * coincide. Edges under triangles that lie upon each other are the rims of two layers and weld nothing. rig
 * NULL: by the places alone. Triangles must be in range. Release with welding_clear. */
Status welding_find(const Mesh *mesh, const Rig *rig, Welding *out);

/* Welds all vertices that have one place at rest and in every frame, whatever their triangles. The animation
 * is this rank's share of the vertices; the welding is the same on all ranks. */
Status welding_find_in_motion(const Mesh *mesh, const Animation *animation, const Ranks *ranks, Welding *out);

/* Whether any vertices are welded. */
static inline bool welding_joins(const Welding *welding)
{
    return welding->mesh.vertex_count < welding->vertex_count;
}

/* The lowest twin of a vertex of the file. */
static inline int32_t welding_lowest(const Welding *welding, int32_t vertex)
{
    return welding->vertex_of[welding->welded_of[vertex]];
}

void welding_clear(Welding *welding);

/* Makes pieces of cloth for simulations. The vertices of a piece are arranged in rows, and their number is
 * exact. Elements between the vertices resist stretching and bending, and wind acts on the triangles. */
#pragma once

#include "datasets/generate/projective.h"
#include "datasets/model/dataset.h"

/* Describes a piece of cloth as rows of vertices, from one edge, which is pinned, to the opposite edge. */
typedef struct FabricCut {
    int vertices; /* total number of vertices */
    bool closed;  /* whether rows are rings */
    double first,
        last; /* lengths of the first and last row in metres; the other lengths are interpolated linearly */
    double width; /* distance from the first row to the last */
    /* Returns the start position of a vertex. The start positions are also the rest pose, whose edge
     * lengths the cloth keeps. `along` runs from 0 to 1 on a row; in a ring, 1 is the same place as 0.
     * `across` runs from 0 in the first row to 1 in the last row. */
    Vec3 (*place)(const void *context, double along, double across);
    const void *context;
} FabricCut;

typedef struct FabricMaterial {
    double density; /* kg/m^2 */
    double stretch; /* N/m */
    double bend;    /* N m */
    double limit;   /* largest stretch of an edge in the simulation, relative to its rest length */
} FabricMaterial;

enum { FABRIC_VERTICES_MIN = 300 };

/* Makes the mesh and its model with the first row pinned. Release with mesh_clear and projective_clear. */
Status fabric_make(const FabricCut *cut, const FabricMaterial *material, Mesh *mesh, ProjectiveModel *model);

/* Simulates the piece of cloth and fills in the animation. projective_run explains the arguments. */
Status fabric_animate(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress, Animation *animation);

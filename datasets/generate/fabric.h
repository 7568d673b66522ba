/* Pieces of cloth: meshes with an exact number of vertices in rows, the elements that hold them together,
 * and the wind on them. */
#pragma once

#include "datasets/generate/projective.h"
#include "datasets/model/dataset.h"

/* The cut of a piece of cloth: rows of vertices from one edge, which is pinned, to the opposite edge. */
typedef struct FabricCut {
    int vertices;       /* total number of vertices */
    bool closed;        /* rows are rings */
    double first, last; /* lengths of the first and last row in metres; rows in between change linearly */
    double width;       /* distance from the first row to the last */
    /* Start position, which is also the rest pose whose lengths the cloth keeps. `along` runs from 0 to 1
     * on a row (1 equals 0 if rows are closed), `across` from 0 in the first row to 1 in the last. */
    Vec3 (*place)(double along, double across);
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

/* Adds the drag of moving air to the forces on the vertices. `wind` gives the velocity of the air at a
 * place and time. The drag is quadratic across a triangle, and a twentieth of that along it. */
void fabric_blow(const ProjectiveModel *model, Vec3 (*wind)(const void *context, Vec3 place, double time),
                 const void *context, double time, const Vec3 *positions, const Vec3 *velocities,
                 Vec3 *forces);

/* Simulates the piece and fills the animation. See projective_run for the arguments. */
Status fabric_animate(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress, Animation *animation);

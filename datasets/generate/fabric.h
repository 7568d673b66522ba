/* Pieces of cloth: meshes of an exact number of vertices in rows, the elements that hold them together, the
 * wind that blows on them. */
#pragma once

#include "datasets/generate/projective.h"
#include "datasets/model/dataset.h"

/* How a piece is cut: rows from one edge, which is pinned, to the other. */
typedef struct FabricCut {
    int vertices;       /* of all rows together */
    bool closed;        /* rows are rings */
    double first, last; /* lengths of the first and the last row, metres; those between change evenly */
    double width;       /* from the first row to the last */
    /* Where a piece starts: `along` from 0 to 1 on a row (1 is 0 again where rows are closed), `across` from
     * 0 in the first row to 1 in the last. Also the rest pose: lengths on it are what the cloth keeps. */
    Vec3 (*place)(double along, double across);
} FabricCut;

typedef struct FabricMaterial {
    double density; /* kg/m^2 */
    double stretch; /* N/m */
    double bend;    /* N m */
    double limit;   /* how much longer than at rest an edge may be in the simulation, as a share */
} FabricMaterial;

enum { FABRIC_VERTICES_MIN = 300 };

/* Makes the mesh, and the model of it with the first row pinned. Release with mesh_clear and
 * projective_clear. */
Status fabric_make(const FabricCut *cut, const FabricMaterial *material, Mesh *mesh, ProjectiveModel *model);

/* Adds the drag of air that moves at `wind` (of a place and a time) to the forces on vertices: quadratic
 * across a triangle, a twentieth of that along it. */
void fabric_blow(const ProjectiveModel *model, Vec3 (*wind)(const void *context, Vec3 place, double time),
                 const void *context, double time, const Vec3 *positions, const Vec3 *velocities,
                 Vec3 *forces);

/* Simulates the piece and fills the animation; arguments as projective_run. */
Status fabric_animate(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress, Animation *animation);

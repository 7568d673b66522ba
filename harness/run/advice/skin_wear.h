/* What a pose does to the skin, as far as no truth is needed to see it: volume, edges, areas, and how the
 * skin at each joint keeps its distance from the bones. */
#pragma once

#include "datasets/model/welding.h"
#include "harness/measure/metrics/surface.h"

/* A joint's bone at rest. */
typedef struct RestBone {
    bool there;
    Vec3 from, to;
} RestBone;

/* What all poses are compared with, made once per rig. N vertices, P joints, E edges, T triangles. */
typedef struct SkinAtRest {
    const Rig *rig;
    Welding welding;
    Mesh mesh; /* the triangles name the lowest of twins; both arrays are its own or borrowed from the file */
    Surface surface;
    double diagonal, volume; /* volume: NAN where nothing is enclosed */
    double *lengths;         /* [E] */
    double *areas;           /* [T] twice */
    bool *crosses;           /* [E] between vertices of different joint sets */
    bool *folds;             /* [E] of skin that blends joints, and not through other skin at rest */
    int *joint_of; /* [N] the joint that the skin here blends with its parent or another; -1: it blends none,
                      or has a lower twin */
    int *skin;     /* [P] how many vertices those are */
    RestBone *bones;   /* [P] */
    double *distances; /* [N] from the bones at that joint; 0: it has none */
} SkinAtRest;

/* STATUS_BAD_INPUT for a mesh without triangles. The rig and the mesh must outlive it. Release with
 * skin_at_rest_clear. */
Status skin_at_rest_make(const Mesh *mesh, const Rig *rig, SkinAtRest *out);
void skin_at_rest_clear(SkinAtRest *rest);

/* At a joint: means over the vertices whose skin it blends, as shares. */
typedef struct JointWear {
    float collapse, bulge; /* of the distance from the bones */
    float difference;      /* from lbs, of the diagonal */
} JointWear;

typedef struct SkinWear {
    double volume, stretch, area; /* AdviceMeasure's, as shares; volume NAN: none is enclosed */
    double gap;                   /* of the diagonal */
    double crossing;              /* AdviceMeasure's, as a share; NAN: not looked for */
} SkinWear;

/* Of one pose: transforms [P], positions and those of lbs [N][3]; joints [P]; holes [hole_count][4] is
 * scratch. */
SkinWear skin_wear(const SkinAtRest *rest, const Transform *transforms, const float *positions,
                   const float *linear, JointWear *joints, double *holes);

/* The share of the edges of blended skin that pass through other skin, and did not at rest: of those on which
 * two surfaces cut each other. */
Status skin_crossing(const SkinAtRest *rest, const float *positions, double *crossing);

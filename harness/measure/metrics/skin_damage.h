/* Measures what a pose does to the skin, as far as it can be judged without a reference: change of volume,
 * edges and areas, and how well the skin at each joint keeps its distance from the bones. */
#pragma once

#include "datasets/model/welding.h"
#include "harness/measure/metrics/surface.h"

/* Returns the distance of a point from the nearest of `count` bones. */
double bones_distance(const Vec3 *from, const Vec3 *to, int count, Vec3 point);
/* Returns the change of that distance relative to its value at rest. A bulge is positive, a collapse
 * negative. */
double radial_change(const Vec3 *from, const Vec3 *to, int count, Vec3 point, double at_rest);

/* A joint's bone at rest. */
typedef struct RestBone {
    bool there;
    Vec3 from, to;
} RestBone;

/* The rest state with which all poses are compared, computed once per rig. The mesh has N vertices, E edges
 * and T triangles; the rig has P joints. */
typedef struct SkinAtRest {
    const Rig *rig;
    Welding welding;
    Mesh mesh; /* mesh in which triangles refer to the lowest of several coincident vertices; its arrays are
                  owned or borrowed from the file */
    Surface surface;
    double diagonal, volume; /* volume of the mesh; NAN if it encloses nothing */
    double *lengths;         /* [E] */
    double *areas;           /* [T] twice */
    bool *crosses;           /* [E] whether different sets of joints influence the two ends of the edge */
    bool *folds;   /* [E] whether the skin of the edge is blended and does not intersect other skin at rest */
    int *joint_of; /* [N] joint at which the skin of the vertex blends; -1: not blended */
    int *skin;     /* [P] number of vertices whose skin blends at the joint */
    RestBone *bones; /* [P] */
    double
        *distances; /* [N] distance of the vertex from the bones at its joint; 0 if its skin is not blended */
} SkinAtRest;

/* Computes the rest state. The rig and the mesh must outlive it. STATUS_BAD_INPUT for a mesh without
 * triangles. Release with skin_at_rest_clear. */
Status skin_at_rest_make(const Mesh *mesh, const Rig *rig, SkinAtRest *out);
void skin_at_rest_clear(SkinAtRest *rest);

/* Measures of the skin at one joint: means over the vertices whose skin blends there, as fractions. */
typedef struct JointDamage {
    float collapse, bulge; /* collapse and bulge, relative to the distance from the bones */
    float difference;      /* distance from lbs, relative to the diagonal */
} JointDamage;

typedef struct SkinDamage {
    double volume, stretch, area; /* the measures of AdviceMeasure, but as fractions instead of per cent;
                                     volume is NAN if the mesh encloses nothing */
    double gap;                   /* relative to the diagonal */
    double crossing; /* fraction of the edges of blended skin that pass through other skin but did not at
                        rest; NAN: not computed */
} SkinDamage;

/* Measures one pose from its transforms [P], its skinned positions [N][3] and the positions that lbs gives
 * [N][3]. Fills joints [P]. holes [hole_count][4] is scratch memory. */
SkinDamage skin_damage(const SkinAtRest *rest, const Transform *transforms, const float *positions,
                       const float *linear, JointDamage *joints, double *holes);

/* Computes by how much the distance of each vertex from the bones at its joint changes, relative to the
 * distance at rest: changes [N]. A bulge is positive; 0 where the skin is not blended. */
void skin_radial_changes(const SkinAtRest *rest, const Transform *transforms, const float *positions,
                         float *changes);

/* Returns the fraction of the edges of blended skin that pass through other skin but did not at rest. An
 * edge counts if two surfaces intersect on it. A large mesh is judged by an evenly spaced sample of about
 * 8,000 edges. */
Status skin_crossing(const SkinAtRest *rest, const float *positions, double *crossing);

/* A rig made for a study: a few joints in one pose, and loose vertices with arbitrary weights. The real
 * methods skin it on the reference backend, so that a study measures the methods themselves. */
#pragma once

#include "datasets/geometry/angles.h"
#include "harness/run/studies/study.h"

enum { SMALL_RIG_JOINTS_MAX = 4 };

typedef struct SmallRig {
    int joint_count, vertex_count;
    int32_t parents[SMALL_RIG_JOINTS_MAX]; /* parent of each joint; the joints form a chain by default */
    Transform rest[SMALL_RIG_JOINTS_MAX];  /* rest transformations A_j, at the origin by default */
    Transform pose[SMALL_RIG_JOINTS_MAX]; /* transformations C_j from rest to pose, the identity by default */
    float *positions;                     /* [N][3], zeroed */
    float *weights;                       /* [N][joint_count], zeroed */
} SmallRig;

/* Allocates a rig with default joints. Release with small_rig_clear, also on failure. */
Status small_rig_init(int joint_count, int vertex_count, SmallRig *out);
void small_rig_clear(SmallRig *rig);

void small_rig_vertex(const SmallRig *rig, int vertex, Vec3 position, const double *weights);

/* Skins all vertices into out [N][3]. */
Status small_rig_skin(const SmallRig *rig, const SkinnerOptions *options, double *out);

/* Find the affine map of a blend from four vertices with the same weights [joint_count]: the origin and the
 * ends of the three axes. small_rig_corners places these four vertices for map number `map`. small_rig_maps
 * returns all maps [N / 4]. */
enum { SMALL_RIG_CORNERS = 4 };
void small_rig_corners(const SmallRig *rig, int map, const double *weights);
Status small_rig_maps(const SmallRig *rig, const SkinnerOptions *options, Transform *maps);

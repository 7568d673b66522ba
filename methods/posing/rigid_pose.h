/* The host's side of methods that blend rigid transformations: joint matrices to unit quaternions with
 * signs chosen along the hierarchy, and which joint sets these signs are valid for. Signs belong to the
 * joint set: where a valid choice exists, every pivot finds it, up to a factor of the whole blend (DQS
 * Lemma 5), so only sets without one, or with negative weights, leave it to the kernel
 * (methods/kernel/hemisphere.kernel.h). */
#pragma once

#include "datasets/geometry/rigid_log.h"
#include "methods/kernel/hemisphere.h"
#include "methods/runtime/skinning_method.h"

/* The words of the parameter `hemisphere`, in the order of HemisphereVariant, from 1; NULL-terminated. */
extern const char *const hemisphere_choices[];

/* The row `hemisphere` of a method's parameters. */
#define HEMISPHERE_PARAMETER                                                                                 \
    {                                                                                                        \
        .name = "hemisphere",                                                                                \
        .meaning = "what the signs of the quaternions are chosen against, where it matters",                 \
        .type = PARAMETER_CHOICE, .default_value = HEMISPHERE_HEAVIEST - 1, .choices = hemisphere_choices    \
    }

/* The policy that a value of that row stands for. */
HemisphereVariant hemisphere_policy(double value);
/* The order of influences that it wants: `influence_order` of a method whose first row it is. */
InfluenceOrder hemisphere_influence_order(const double *value);

/* The bind stage of a method that keeps nothing of the rig: refuses one whose joints do not stand after their
 * parents. */
Status rigid_pose_bind_nothing(const SkinningBinding *binding, double *vertex_values, void **state);

/* The bind stage of a method without values per vertex; checks the rig too. *state: the pairs of joints whose
 * signs must agree, and the joint sets with a negative weight. Release with rigid_pose_release (NULL is
 * allowed). */
Status rigid_pose_bind(const SkinningBinding *binding, double *vertex_values, void **state);
void rigid_pose_release(void *state);

/* The unit dual quaternions of all joints, which are rigid (rigid_only): joint j's at values[j * stride] to
 * values[j * stride + 7], non-dual part first, w before x, y, z. The sign of each is that of its parent's
 * hemisphere, a root's that of the identity's. */
void rigid_pose_dual_quats(const Rig *rig, const Transform *transforms, double *values, int stride);
/* One of these, RIGID_DUAL_QUAT_FLOATS from joint to joint. */
enum { RIGID_DUAL_QUAT_FLOATS = 8 };
static inline DualQuat rigid_pose_dual_quat_at(const double *values, int joint)
{
    const double *q = values + (size_t)joint * RIGID_DUAL_QUAT_FLOATS;
    return (DualQuat){quat_make(q[0], q[1], q[2], q[3]), quat_make(q[4], q[5], q[6], q[7])};
}

/* A logarithm as kernels read it: l, then m. */
enum { RIGID_LOG_FLOATS = 6 };
static inline void rigid_pose_log_store(RigidLog log, double *out)
{
    const double values[RIGID_LOG_FLOATS] = {log.l.x, log.l.y, log.l.z, log.m.x, log.m.y, log.m.z};
    for (int i = 0; i < RIGID_LOG_FLOATS; i++)
        out[i] = values[i];
}

/* The whole pose stage of a method that blends dual quaternions: those of all joints, RIGID_DUAL_QUAT_FLOATS
 * each, `stride` from joint to joint, and the variants of the sets: `policy` where the signs of the
 * quaternions are not valid for the set, or where its weights could make a blend vanish, else
 * HEMISPHERE_CHOSEN. `state` is rigid_pose_bind's. */
void rigid_pose_dual_quat(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                          int stride, const SkinningPose *pose);

/* Likewise of a method that rotates about a centre (methods/kernel/center.kernel.h): quaternions and
 * matrices, RIGID_CENTER_FLOATS per joint. */
enum { RIGID_CENTER_FLOATS = 16 };
void rigid_pose_center(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose);

/* Likewise of a method that turns about joints (qb): quaternions and where the joints themselves go, C_j a_j
 * with a_j their rest positions, RIGID_PLACE_FLOATS per joint, the last of them j. The rig must have rest
 * frames. */
enum { RIGID_PLACE_FLOATS = 8 };
void rigid_pose_places(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose);

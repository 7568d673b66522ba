/* Pose stages of methods that blend rigid transformations. They convert joint matrices to unit quaternions
 * with signs along the hierarchy, and find the joint sets for which these signs are valid. Signs depend
 * only on the joint set: if a valid choice exists, every pivot leads to it, up to the sign of the whole
 * blend (DQS Lemma 5). The kernel chooses signs only for sets without a valid choice or with negative
 * weights (methods/kernel/hemisphere.kernel.h). */
#pragma once

#include "datasets/geometry/rigid_log.h"
#include "methods/kernel/hemisphere.h"
#include "methods/runtime/skinning_method.h"

/* Values of the parameter `hemisphere`, in the order of HemisphereVariant without its first value;
 * NULL-terminated. */
extern const char *const hemisphere_choices[];

/* Row for the parameter `hemisphere` in a method's table. */
#define HEMISPHERE_PARAMETER                                                                                 \
    {                                                                                                        \
        .name = "hemisphere",                                                                                \
        .meaning = "what the signs of the quaternions are chosen against, if it matters",                    \
        .type = PARAMETER_CHOICE, .default_value = HEMISPHERE_HEAVIEST - 1, .choices = hemisphere_choices    \
    }

/* Returns the policy for a value of the parameter `hemisphere`. */
HemisphereVariant hemisphere_policy(double value);
/* Returns the order of influences that the policy needs. It is the `influence_order` of a method whose
 * first parameter is `hemisphere`. */
InfluenceOrder hemisphere_influence_order(const double *value);

/* Bind stage of a method that stores nothing about the rig. Fails if a joint comes before its parent. */
Status rigid_pose_bind_nothing(const SkinningBinding *binding, double *vertex_values, void **state);

/* Bind stage of a method without values per vertex; also checks the rig. *state receives the pairs of
 * joints whose signs must agree, and the joint sets with a negative weight. Release it with
 * rigid_pose_release, which accepts NULL. */
Status rigid_pose_bind(const SkinningBinding *binding, double *vertex_values, void **state);
void rigid_pose_release(void *state);

/* Computes the unit dual quaternions of all joints, which must be rigid (rigid_only). Joint j gets values[j
 * * stride] to values[j * stride + 7]: the non-dual part, then the dual part, each with w before x, y, z.
 * The sign puts each quaternion in the hemisphere of the parent's quaternion or, for a root, of the
 * identity. */
void rigid_pose_dual_quats(const Rig *rig, const Transform *transforms, double *values, int stride);
/* Reads a joint's dual quaternion from values with RIGID_DUAL_QUAT_FLOATS per joint. */
enum { RIGID_DUAL_QUAT_FLOATS = 8 };
static inline DualQuat rigid_pose_dual_quat_at(const double *values, int joint)
{
    const double *q = values + (size_t)joint * RIGID_DUAL_QUAT_FLOATS;
    return (DualQuat){quat_make(q[0], q[1], q[2], q[3]), quat_make(q[4], q[5], q[6], q[7])};
}

/* Stores a logarithm in the order that kernels read: l, then m. */
enum { RIGID_LOG_FLOATS = 6 };
static inline void rigid_pose_log_store(RigidLog log, double *out)
{
    const double values[RIGID_LOG_FLOATS] = {log.l.x, log.l.y, log.l.z, log.m.x, log.m.y, log.m.z};
    for (int i = 0; i < RIGID_LOG_FLOATS; i++)
        out[i] = values[i];
}

/* Complete pose stage of a method that blends dual quaternions. Writes RIGID_DUAL_QUAT_FLOATS values per
 * joint, `stride` apart. Also sets the variants of the sets: `policy` if the signs are not valid for the
 * set or its weights could make a blend vanish, otherwise HEMISPHERE_CHOSEN. `state` comes from
 * rigid_pose_bind. */
void rigid_pose_dual_quat(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                          int stride, const SkinningPose *pose);

/* Complete pose stage of a method that rotates about a centre (methods/kernel/center.kernel.h). Writes
 * quaternions and matrices, RIGID_CENTER_FLOATS values per joint, and variants as rigid_pose_dual_quat
 * does. */
enum { RIGID_CENTER_FLOATS = 16 };
void rigid_pose_center(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose);

/* The `pose` of a method that blends dual quaternions and whose first parameter is `hemisphere`, by
 * rigid_pose_dual_quat. */
Status rigid_pose_blended(const SkinningBinding *binding, const void *state, const SkinningPose *pose);

/* The `pose` of a method that rotates about joints (qb) and whose first parameter is `hemisphere`. Writes
 * RIGID_PLACE_FLOATS values per joint: the quaternion, the joint's new position C_j a_j (a_j is its rest
 * position), and j. The rig must have rest frames. */
enum { RIGID_PLACE_FLOATS = 8 };
Status rigid_pose_places(const SkinningBinding *binding, const void *state, const SkinningPose *pose);

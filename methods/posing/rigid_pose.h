/* The host's side of methods that blend rigid transformations: joint matrices to unit quaternions with signs
 * chosen along the hierarchy, and which joint sets these signs are valid for. Signs belong to the joint set:
 * where a valid choice exists, every pivot finds it, up to a factor of the whole blend (DQS Lemma 5), so only
 * sets without one, or with negative weights, leave it to the kernel (methods/kernel/hemisphere.kernel.h).
 */
#ifndef SKINBENCH_POSING_RIGID_POSE_H
#define SKINBENCH_POSING_RIGID_POSE_H

#include "datasets/geometry/dual_quat.h"
#include "methods/kernel/hemisphere.h"
#include "methods/runtime/skinning_method.h"

/* The words of the parameter `hemisphere`, in the order of HemisphereVariant, from 1; closed by NULL. */
extern const char *const hemisphere_choices[];

/* The row `hemisphere` of a method's parameters. */
#define HEMISPHERE_PARAMETER                                                                                 \
    {                                                                                                        \
        .name = "hemisphere",                                                                                \
        .meaning = "what the signs of the quaternions are chosen against, where they matter",                \
        .type = PARAMETER_CHOICE, .standard = HEMISPHERE_HEAVIEST - 1, .choices = hemisphere_choices         \
    }

/* The policy that a value of that row stands for, and the order of influences it wants. */
enum HemisphereVariant hemisphere_policy(double value);
InfluenceOrder hemisphere_influence_order(double value);

/* Refuses a rig whose joints do not stand after their parents. */
Status rigid_pose_rig_check(const Rig *rig);

/* For each joint set, whether it has a negative weight: *negative [S], released with memory_free. Checks the
 * rig too. */
Status rigid_pose_bind(const SkinningBinding *binding, bool **negative);

/* The unit quaternions of all joints: joint j's at values[j * stride], w first. The sign of each is that of
 * its parent's hemisphere, a root's that of the identity's. STATUS_BAD_INPUT, in `method`'s name, for a joint
 * further than 1e-4 from orthonormal or one that mirrors. */
Status rigid_pose_quats(const char *method, const Rig *rig, const Transform *transforms, double *values,
                        int stride);
/* Likewise the unit dual quaternions, non-dual part first: values[j * stride] to values[j * stride + 7]. */
Status rigid_pose_dual_quats(const char *method, const Rig *rig, const Transform *transforms, double *values,
                             int stride);

/* Writes `policy` to set_variants [S] (HEMISPHERE_CHOSEN, 0, before) where the signs of the quaternions are
 * not valid for the set, or where its weights could make a blend vanish. values and stride as above. */
void rigid_pose_variants(const SkinningBinding *binding, const bool *negative, enum HemisphereVariant policy,
                         const double *values, int stride, uint8_t *set_variants);

/* The whole pose stage of a method that rotates about a centre (methods/kernel/center.kernel.h):
 * quaternions and matrices, RIGID_CENTER_FLOATS per joint, and the variants of the sets. */
enum { RIGID_CENTER_FLOATS = 16 };
Status rigid_pose_center(const char *method, const SkinningBinding *binding, const bool *negative,
                         enum HemisphereVariant policy, const SkinningPose *pose);

#endif

/* Joint matrices to unit quaternions and dual quaternions, signs along the hierarchy, and for each joint
 * set whether these signs are valid (DQS Lemma 5). */
#include "methods/posing/rigid_pose.h"

#include "datasets/base/memory.h"
#include "methods/posing/rigid_quats.h"

#include <string.h>

/* Rotations that differ by less than a quarter turn have quaternions less than 45 degrees apart. */
#define QUARTER_TURN_DOT 0.70710678118654757

const char *const hemisphere_choices[] = {"first", "heaviest", "running-sum", "hierarchy", NULL};

HemisphereVariant hemisphere_policy(double value)
{
    return (HemisphereVariant)((int)value + 1);
}

InfluenceOrder hemisphere_influence_order(const double *value)
{
    HemisphereVariant policy = hemisphere_policy(*value);
    return policy == HEMISPHERE_FIRST || policy == HEMISPHERE_RUNNING_SUM ? INFLUENCES_AS_LISTED
                                                                          : INFLUENCES_BY_JOINT;
}

Status rigid_pose_bind_nothing(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    (void)state;
    const Rig *rig = binding->rig;
    for (int joint = 0; joint < rig->joint_count; joint++)
        if (rig->parents[joint] < -1 || rig->parents[joint] >= joint)
            return status_make(STATUS_BAD_INPUT, "parent of joint %d is %d, expected -1 to %d", joint,
                               rig->parents[joint], joint - 1);
    return status_ok();
}

Status rigid_pose_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const JointSets *sets = binding->sets;
    Status status = rigid_pose_bind_nothing(binding, vertex_values, state);
    if (status.code != STATUS_OK)
        return status;
    bool *negative = memory_array((size_t)sets->set_count, sizeof *negative);
    if (!negative)
        return status_out_of_memory("the joint sets");
    for (int set = 0; set < sets->set_count; set++)
        for (int64_t i = sets->first_weight[set]; i < sets->first_weight[set + 1]; i++)
            negative[set] |= sets->weights[i] < 0.0;
    *state = negative;
    return status_ok();
}

static Quat quat_at(const double *values, int stride, int joint)
{
    const double *q = values + (size_t)joint * (size_t)stride;
    return quat_make(q[0], q[1], q[2], q[3]);
}

static void quat_put(Quat q, double *out)
{
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}

/* Joints whose quaternions are found at a time. */
enum { JOINT_BLOCK = 64 };

/* The non-dual parts alone. */
static void rigid_pose_quats(const Rig *rig, const Transform *transforms, double *values, int stride)
{
    _Alignas(64) double quats[4][JOINT_BLOCK];
    for (int first = 0; first < rig->joint_count; first += JOINT_BLOCK) {
        const int left = rig->joint_count - first, count = left < JOINT_BLOCK ? left : JOINT_BLOCK;
        rigid_quats_find(transforms + first, count, quats[0], JOINT_BLOCK);
        for (int i = 0; i < count; i++) {
            const Quat q = quat_make(quats[0][i], quats[1][i], quats[2][i], quats[3][i]);
            const int parent = rig->parents[first + i];
            const double dot = parent < 0 ? q.w : quat_dot(q, quat_at(values, stride, parent));
            quat_put(quat_scale(q, dot < -HEMISPHERE_HALF_TURN ? -1.0 : 1.0),
                     values + (size_t)(first + i) * (size_t)stride);
        }
    }
}

void rigid_pose_dual_quats(const Rig *rig, const Transform *transforms, double *values, int stride)
{
    rigid_pose_quats(rig, transforms, values, stride);
    for (int joint = 0; joint < rig->joint_count; joint++) {
        const Transform *t = &transforms[joint];
        DualQuat q = dual_quat_from_rotation_translation(quat_at(values, stride, joint),
                                                         vec3_make(t->m03, t->m13, t->m23));
        quat_put(q.dual, values + (size_t)joint * (size_t)stride + 4);
    }
}

/* Joints up to this number are marked where they turn much like the first joint. */
enum { MARKED_JOINTS = 1024 };

static void joints_mark(const double *values, int stride, int joint_count, bool marks[MARKED_JOINTS])
{
    const Quat first = quat_at(values, stride, 0);
    for (int joint = 0; joint < joint_count && joint < MARKED_JOINTS; joint++)
        marks[joint] = quat_dot(first, quat_at(values, stride, joint)) > QUARTER_TURN_DOT;
}

static bool all_marked(const bool marks[MARKED_JOINTS], const int32_t *joints, int count)
{
    bool all = true;
    for (int k = 0; k < count; k++)
        all = all && joints[k] < MARKED_JOINTS && marks[joints[k]];
    return all;
}

/* Whether the dot products of all pairs of a set have one sign. A set of which all are near one quaternion,
 * here the first, is known to be valid by as many products as it has members. */
static bool signs_valid(const double *values, int stride, const int32_t *joints, int count)
{
    const Quat first = quat_at(values, stride, joints[0]);
    bool near = true;
    for (int k = 1; k < count && near; k++)
        near = quat_dot(first, quat_at(values, stride, joints[k])) > QUARTER_TURN_DOT;
    for (int k = 1; k < count && !near; k++)
        for (int other = 0; other < k; other++)
            if (quat_dot(quat_at(values, stride, joints[other]), quat_at(values, stride, joints[k])) <
                -HEMISPHERE_HALF_TURN)
                return false;
    return true;
}

/* Writes `policy` to set_variants [S] (HEMISPHERE_CHOSEN, 0, before) where the quaternions, at the start
 * of each joint's values, leave the choice of signs to the kernel. */
static void variants_choose(const SkinningBinding *binding, const bool *negative, HemisphereVariant policy,
                            const double *values, int stride, uint8_t *set_variants)
{
    const JointSets *sets = binding->sets;
    bool marks[MARKED_JOINTS];
    joints_mark(values, stride, binding->rig->joint_count, marks);
    for (int set = 0; set < sets->set_count; set++) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        int count = sets->first_slot[set + 1] - sets->first_slot[set];
        if (count > 1 && (negative[set] ||
                          (!all_marked(marks, joints, count) && !signs_valid(values, stride, joints, count))))
            set_variants[set] = (uint8_t)policy;
    }
}

void rigid_pose_dual_quat(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                          const SkinningPose *pose)
{
    rigid_pose_dual_quats(binding->rig, pose->transforms, pose->joint_values, RIGID_DUAL_QUAT_FLOATS);
    variants_choose(binding, state, policy, pose->joint_values, RIGID_DUAL_QUAT_FLOATS, pose->set_variants);
}

void rigid_pose_center(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose)
{
    rigid_pose_quats(binding->rig, pose->transforms, pose->joint_values, RIGID_CENTER_FLOATS);
    for (int joint = 0; joint < binding->rig->joint_count; joint++)
        memcpy(pose->joint_values + (size_t)joint * RIGID_CENTER_FLOATS + 4, &pose->transforms[joint],
               sizeof(Transform));
    variants_choose(binding, state, policy, pose->joint_values, RIGID_CENTER_FLOATS, pose->set_variants);
}

void rigid_pose_places(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose)
{
    rigid_pose_quats(binding->rig, pose->transforms, pose->joint_values, RIGID_PLACE_FLOATS);
    for (int joint = 0; joint < binding->rig->joint_count; joint++) {
        double *values = pose->joint_values + (size_t)joint * RIGID_PLACE_FLOATS;
        const Vec3 place =
            transform_point(pose->transforms[joint], rigid_pose_place(&binding->rig->rest[joint]));
        values[4] = place.x;
        values[5] = place.y;
        values[6] = place.z;
        values[7] = 0.0;
    }
    variants_choose(binding, state, policy, pose->joint_values, RIGID_PLACE_FLOATS, pose->set_variants);
}

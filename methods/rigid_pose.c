#include "methods/rigid_pose.h"

#include "datasets/base/memory.h"

#include <math.h>
#include <string.h>

/* How far a joint's matrix may be from orthonormal: the rounding of single-precision chains and of text with
 * six digits passes, a scale of a per mille does not. */
#define RIGID_TOLERANCE 1e-4

/* Rotations that differ by less than a quarter turn have quaternions less than 45 degrees apart. */
#define QUARTER_TURN_DOT 0.70710678118654757

const char *const hemisphere_choices[] = {"first", "heaviest", "running-sum", "hierarchy", NULL};

enum HemisphereVariant hemisphere_policy(double value)
{
    return (enum HemisphereVariant)((int)value + 1);
}

InfluenceOrder hemisphere_influence_order(double value)
{
    enum HemisphereVariant policy = hemisphere_policy(value);
    return policy == HEMISPHERE_FIRST || policy == HEMISPHERE_RUNNING_SUM ? INFLUENCES_AS_LISTED
                                                                          : INFLUENCES_BY_JOINT;
}

Status rigid_pose_rig_check(const Rig *rig)
{
    for (int joint = 0; joint < rig->joint_count; joint++)
        if (rig->parents[joint] < -1 || rig->parents[joint] >= joint)
            return status_make(STATUS_BAD_INPUT, "parent of joint %d is %d, expected -1 to %d", joint,
                               rig->parents[joint], joint - 1);
    return status_ok();
}

Status rigid_pose_bind(const SkinningBinding *binding, bool **negative)
{
    const JointSets *sets = binding->sets;
    Status status = rigid_pose_rig_check(binding->rig);
    if (status.code != STATUS_OK)
        return status;
    *negative = memory_array((size_t)sets->set_count, sizeof **negative);
    if (!*negative)
        return status_out_of_memory("the joint sets");
    for (int set = 0; set < sets->set_count; set++)
        for (int64_t i = sets->first_weight[set]; i < sets->first_weight[set + 1]; i++)
            (*negative)[set] |= sets->weights[i] < 0.0;
    return status_ok();
}

/* The greatest element of |A A^T - I|, A the 3 x 3 part. */
static double orthonormal_distance(const Transform *t)
{
    Vec3 rows[3] = {{t->m00, t->m01, t->m02}, {t->m10, t->m11, t->m12}, {t->m20, t->m21, t->m22}};
    double greatest = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            greatest = fmax(greatest, fabs(vec3_dot(rows[i], rows[j]) - (i == j ? 1.0 : 0.0)));
    return greatest;
}

static double determinant(const Transform *t)
{
    return vec3_dot(vec3_make(t->m00, t->m01, t->m02),
                    vec3_cross(vec3_make(t->m10, t->m11, t->m12), vec3_make(t->m20, t->m21, t->m22)));
}

static Status rigid_check(const char *method, const Transform *t, int joint)
{
    double distance = orthonormal_distance(t);
    if (distance > RIGID_TOLERANCE)
        return status_make(STATUS_BAD_INPUT,
                           "joint %d is not rigid: its matrix is %g from orthonormal, %s takes up to %g",
                           joint, distance, method, RIGID_TOLERANCE);
    if (determinant(t) < 0.0)
        return status_make(STATUS_BAD_INPUT, "joint %d mirrors, which %s cannot represent", joint, method);
    return status_ok();
}

/* The unit quaternion of a rotation matrix, by the greatest of its four components (Shepperd 1978). */
static Quat quat_of(const Transform *t)
{
    double trace = t->m00 + t->m11 + t->m22;
    Quat q;
    if (trace >= t->m00 && trace >= t->m11 && trace >= t->m22)
        q = quat_make(1.0 + trace, t->m21 - t->m12, t->m02 - t->m20, t->m10 - t->m01);
    else if (t->m00 >= t->m11 && t->m00 >= t->m22)
        q = quat_make(t->m21 - t->m12, 1.0 + 2.0 * t->m00 - trace, t->m10 + t->m01, t->m02 + t->m20);
    else if (t->m11 >= t->m22)
        q = quat_make(t->m02 - t->m20, t->m10 + t->m01, 1.0 + 2.0 * t->m11 - trace, t->m21 + t->m12);
    else
        q = quat_make(t->m10 - t->m01, t->m02 + t->m20, t->m21 + t->m12, 1.0 + 2.0 * t->m22 - trace);
    return quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
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

Status rigid_pose_quats(const char *method, const Rig *rig, const Transform *transforms, double *values,
                        int stride)
{
    for (int joint = 0; joint < rig->joint_count; joint++) {
        Status status = rigid_check(method, &transforms[joint], joint);
        if (status.code != STATUS_OK)
            return status;
        Quat q = quat_of(&transforms[joint]);
        int parent = rig->parents[joint];
        double dot = parent < 0 ? q.w : quat_dot(q, quat_at(values, stride, parent));
        quat_put(quat_scale(q, dot < -HEMISPHERE_HALF_TURN ? -1.0 : 1.0),
                 values + (size_t)joint * (size_t)stride);
    }
    return status_ok();
}

Status rigid_pose_dual_quats(const char *method, const Rig *rig, const Transform *transforms, double *values,
                             int stride)
{
    Status status = rigid_pose_quats(method, rig, transforms, values, stride);
    for (int joint = 0; joint < rig->joint_count && status.code == STATUS_OK; joint++) {
        const Transform *t = &transforms[joint];
        DualQuat q = dual_quat_from_rotation_translation(quat_at(values, stride, joint),
                                                         vec3_make(t->m03, t->m13, t->m23));
        quat_put(q.dual, values + (size_t)joint * (size_t)stride + 4);
    }
    return status;
}

/* Whether the dot products of all pairs of a set have one sign. A set of which all are near the first is
 * known to be valid by as many products as it has members. */
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

void rigid_pose_variants(const JointSets *sets, const bool *negative, enum HemisphereVariant policy,
                         const double *values, int stride, uint8_t *set_variants)
{
    for (int set = 0; set < sets->set_count; set++) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        int count = sets->first_slot[set + 1] - sets->first_slot[set];
        if (count > 1 && (negative[set] || !signs_valid(values, stride, joints, count)))
            set_variants[set] = (uint8_t)policy;
    }
}

Status rigid_pose_center(const char *method, const SkinningBinding *binding, const bool *negative,
                         enum HemisphereVariant policy, const SkinningPose *pose)
{
    Status status =
        rigid_pose_quats(method, binding->rig, pose->transforms, pose->joint_values, RIGID_CENTER_FLOATS);
    if (status.code != STATUS_OK)
        return status;
    for (int joint = 0; joint < binding->rig->joint_count; joint++)
        memcpy(pose->joint_values + (size_t)joint * RIGID_CENTER_FLOATS + 4, &pose->transforms[joint],
               sizeof(Transform));
    rigid_pose_variants(binding->sets, negative, policy, pose->joint_values, RIGID_CENTER_FLOATS,
                        pose->set_variants);
    return status;
}

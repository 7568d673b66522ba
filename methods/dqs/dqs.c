/* Dual quaternion skinning: the pose stage turns joint transformations into dual quaternions and chooses
 * their signs. Signs belong to the joint set: where a valid choice exists, every pivot finds it, up to a
 * factor of the whole blend (DQS Lemma 5), so only sets without one, or with negative weights, leave it to
 * the kernel. */
#include "datasets/base/memory.h"
#include "datasets/geometry/dual_quat.h"
#include "methods/dqs/dqs_variants.h"
#include "methods/skinning.h"

#include <math.h>

/* How far a joint's matrix may be from orthonormal: the rounding of single-precision chains and of text with
 * six digits passes, a scale of a per mille does not. */
#define RIGID_TOLERANCE 1e-4

/* Rotations that differ by less than a quarter turn have non-dual parts less than 45 degrees apart. */
#define QUARTER_TURN_DOT 0.70710678118654757

enum { HEMISPHERE, DQS_PARAMETER_COUNT };

static const char *const hemisphere_choices[] = {"first", "heaviest", "running-sum", "hierarchy", NULL};

static const Parameter dqs_parameters[DQS_PARAMETER_COUNT] = {
    [HEMISPHERE] = {.name = "hemisphere",
                    .meaning = "what the signs of the quaternions are chosen against, where they matter",
                    .type = PARAMETER_CHOICE,
                    .standard = DQS_HEAVIEST - 1,
                    .choices = hemisphere_choices},
};

static enum DqsVariant policy_of(const double *parameters)
{
    return (enum DqsVariant)((int)parameters[HEMISPHERE] + 1);
}

static InfluenceOrder dqs_influence_order(const double *parameters)
{
    enum DqsVariant policy = policy_of(parameters);
    return policy == DQS_FIRST || policy == DQS_RUNNING_SUM ? INFLUENCES_AS_LISTED : INFLUENCES_BY_JOINT;
}

/* State: for each joint set, whether it has a negative weight. */
static Status dqs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    const Rig *rig = binding->rig;
    const JointSets *sets = binding->sets;
    for (int joint = 0; joint < rig->joint_count; joint++)
        if (rig->parents[joint] < -1 || rig->parents[joint] >= joint)
            return status_make(STATUS_BAD_INPUT, "parent of joint %d is %d, expected -1 to %d", joint,
                               rig->parents[joint], joint - 1);
    bool *negative = memory_array((size_t)sets->set_count, sizeof *negative);
    if (!negative)
        return status_out_of_memory("the joint sets");
    for (int set = 0; set < sets->set_count; set++)
        for (int64_t i = sets->first_weight[set]; i < sets->first_weight[set + 1]; i++)
            negative[set] |= sets->weights[i] < 0.0;
    *state = negative;
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

static Status rigid_check(const Transform *t, int joint)
{
    double distance = orthonormal_distance(t);
    if (distance > RIGID_TOLERANCE)
        return status_make(STATUS_BAD_INPUT,
                           "joint %d is not rigid: its matrix is %g from orthonormal, dqs takes up to %g",
                           joint, distance, RIGID_TOLERANCE);
    if (determinant(t) < 0.0)
        return status_make(STATUS_BAD_INPUT, "joint %d mirrors, which dqs cannot represent", joint);
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

/* Whether the dot products of all pairs of a set have one sign. A set of which all are near the first is
 * known to be valid by as many products as it has members. */
static bool signs_valid(const DualQuat *quats, const int32_t *joints, int count)
{
    bool near = true;
    for (int k = 1; k < count && near; k++)
        near = quat_dot(quats[joints[0]].real, quats[joints[k]].real) > QUARTER_TURN_DOT;
    for (int k = 1; k < count && !near; k++)
        for (int other = 0; other < k; other++)
            if (quat_dot(quats[joints[other]].real, quats[joints[k]].real) < -DQS_HALF_TURN)
                return false;
    return true;
}

static Status dqs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const Rig *rig = binding->rig;
    const JointSets *sets = binding->sets;
    const bool *negative = state;
    const enum DqsVariant policy = policy_of(binding->parameters);
    DualQuat *quats = (DualQuat *)pose->joint_values;
    for (int joint = 0; joint < rig->joint_count; joint++) {
        const Transform *t = &pose->transforms[joint];
        Status status = rigid_check(t, joint);
        if (status.code != STATUS_OK)
            return status;
        Quat q = quat_of(t);
        int parent = rig->parents[joint];
        if ((parent < 0 ? q.w : quat_dot(q, quats[parent].real)) < -DQS_HALF_TURN)
            q = quat_scale(q, -1.0);
        quats[joint] = dual_quat_from_rotation_translation(q, vec3_make(t->m03, t->m13, t->m23));
    }
    for (int set = 0; set < sets->set_count; set++) {
        int count = sets->first_slot[set + 1] - sets->first_slot[set];
        if (count > 1 && (negative[set] || !signs_valid(quats, sets->joints + sets->first_slot[set], count)))
            pose->set_variants[set] = (uint8_t)policy;
    }
    return status_ok();
}

const SkinningMethod dqs_method = {
    .name = "dqs",
    .title = "Dual quaternion skinning",
    .citation = "Kavan, Collins, Zara and O'Sullivan 2008, section 4 (DLB)",
    .parameters = dqs_parameters,
    .parameter_count = DQS_PARAMETER_COUNT,
    .floats_per_joint = 8,
    .variant_count = DQS_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = dqs_influence_order,
    .bind = dqs_bind,
    .pose = dqs_pose,
    .release = memory_free,
};

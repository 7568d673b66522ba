/* Converts joint matrices to unit quaternions and dual quaternions with signs along the hierarchy. Checks
 * for each joint set whether these signs are valid (DQS Lemma 5). */
#include "methods/posing/rigid_pose.h"

#include "datasets/geometry/points.h"
#include "methods/posing/joint_pairs.h"
#include "methods/posing/rigid_quats.h"

/* Cosine of 45 degrees. If all quaternions of a set are less than 45 degrees from the first one, any two
 * are less than 90 degrees apart, so their dot product is positive. Such rotations are less than a quarter
 * turn apart from the first. */
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
            return bad_input("parent of joint %d is %d, expected -1 to %d", joint, rig->parents[joint],
                             joint - 1);
    return status_ok();
}

/* Maximum number of joints of a set for which pairs are listed. Larger sets have too many pairs, so they
 * are checked individually. */
enum { PAIRED_JOINTS_MAX = 64 };

/* Facts about the joint sets that the choice of signs needs. */
typedef struct RigidSigns {
    JointPairs pairs;         /* pairs in sets of at most PAIRED_JOINTS_MAX joints */
    int32_t *negative, *wide; /* indices of the sets with a negative weight, and of all other sets with more
                                 than PAIRED_JOINTS_MAX joints */
    int negative_count, wide_count;
} RigidSigns;

void rigid_pose_release(void *state)
{
    RigidSigns *signs = state;
    if (!signs)
        return;
    joint_pairs_clear(&signs->pairs);
    FREE_ALL(signs->negative, signs->wide, signs);
}

static bool set_negative(const JointSets *sets, int set)
{
    bool negative = false;
    for (int64_t i = sets->first_weight[set]; i < sets->first_weight[set + 1]; i++)
        negative = negative || sets->weights[i] < 0.0;
    return negative;
}

DEFINE_OWNED_BY(RigidSigns, rigid_pose_release)

Status rigid_pose_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const JointSets *sets = binding->sets;
    const size_t set_count = (size_t)sets->set_count;
    STATUS_TRY(rigid_pose_bind_nothing(binding, vertex_values, state));
    OWNED_BY(rigid_pose_release) RigidSigns *signs = NULL;
    ALLOCATE(signs, 1, "the joint sets");
    LOCAL_ARRAY(bool, apart, set_count, "the joint sets");
    ALLOCATE(signs->negative, set_count, "the joint sets");
    ALLOCATE(signs->wide, set_count, "the joint sets");
    for (int set = 0; set < sets->set_count; set++) {
        const int joints = joint_set_size(sets, set);
        const bool negative = joints > 1 && set_negative(sets, set);
        apart[set] = negative || joints > PAIRED_JOINTS_MAX;
        if (negative)
            signs->negative[signs->negative_count++] = set;
        else if (apart[set])
            signs->wide[signs->wide_count++] = set;
    }
    STATUS_TRY(joint_pairs_init(sets, binding->rig->joint_count, apart, &signs->pairs));
    *state = TAKE(signs);
    return status_ok();
}

static Quat quat_at(const double *values, int stride, int joint)
{
    const double *q = values + (size_t)joint * (size_t)stride;
    return quat_make(q[0], q[1], q[2], q[3]);
}

/* Writes unit quaternions (4 values) or dual quaternions (8 values) at the start of each joint's values. */
static void rigid_pose_quats(const Rig *rig, const Transform *transforms, bool dual, double *values,
                             int stride)
{
    QuatColumns quats;
    for (int first = 0; first < rig->joint_count; first += COLUMN_LANES) {
        const int left = rig->joint_count - first, count = left < COLUMN_LANES ? left : COLUMN_LANES;
        rigid_quats_find(transforms + first, count, dual, &quats);
        for (int i = 0; i < count; i++) {
            const Quat q =
                quat_make(quats.values[0][i], quats.values[1][i], quats.values[2][i], quats.values[3][i]);
            const int parent = rig->parents[first + i];
            const double dot = parent < 0 ? q.w : quat_dot(q, quat_at(values, stride, parent));
            const double sign = dot < -HEMISPHERE_HALF_TURN ? -1.0 : 1.0;
            double *out = values + (size_t)(first + i) * (size_t)stride;
            for (int value = 0; value < (dual ? 8 : 4); value++)
                out[value] = sign * quats.values[value][i];
        }
    }
}

void rigid_pose_dual_quats(const Rig *rig, const Transform *transforms, double *values, int stride)
{
    rigid_pose_quats(rig, transforms, true, values, stride);
}

/* Returns whether the dot products of all pairs of a set are positive. If all quaternions are close to the
 * first one, one product per joint is enough to prove it. */
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

/* Sets the variant of all sets that contain both joints to `policy`. */
static void pair_choose(const JointSets *sets, const Grouping *sets_of, const int32_t *pair,
                        HemisphereVariant policy, uint8_t *set_variants)
{
    for (int64_t i = sets_of->first[pair[0]]; i < sets_of->first[pair[0] + 1]; i++) {
        const int32_t set = sets_of->members[i];
        for (int slot = sets->first_slot[set]; slot < sets->first_slot[set + 1]; slot++)
            if (sets->joints[slot] == pair[1])
                set_variants[set] = (uint8_t)policy;
    }
}

/* Finds the joint sets for which the kernel must choose signs and sets their entries of set_variants [S] to
 * `policy`. On entry, all entries are HEMISPHERE_CHOSEN (0). The values of a joint begin with its
 * quaternion. */
static void variants_choose(const SkinningBinding *binding, const RigidSigns *signs, HemisphereVariant policy,
                            const double *values, int stride, uint8_t *set_variants)
{
    const JointSets *sets = binding->sets;
    for (int i = 0; i < signs->negative_count; i++)
        set_variants[signs->negative[i]] = (uint8_t)policy;
    for (int i = 0; i < signs->wide_count; i++) {
        const int set = signs->wide[i];
        if (!signs_valid(values, stride, sets->joints + sets->first_slot[set], joint_set_size(sets, set)))
            set_variants[set] = (uint8_t)policy;
    }
    for (int first = 0; first < signs->pairs.count; first += DOTS_BLOCK) {
        const int32_t *pairs = signs->pairs.joints + 2 * (size_t)first;
        const int left = signs->pairs.count - first, count = left < DOTS_BLOCK ? left : DOTS_BLOCK;
        double dots[DOTS_BLOCK];
        if (rigid_quats_dots(values, stride, pairs, count, dots) >= -HEMISPHERE_HALF_TURN)
            continue;
        for (int i = 0; i < count; i++)
            if (dots[i] < -HEMISPHERE_HALF_TURN)
                pair_choose(sets, &signs->pairs.sets_of, pairs + 2 * (size_t)i, policy, set_variants);
    }
}

void rigid_pose_dual_quat(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                          int stride, const SkinningPose *pose)
{
    rigid_pose_dual_quats(binding->rig, pose->transforms, pose->joint_values, stride);
    variants_choose(binding, state, policy, pose->joint_values, stride, pose->set_variants);
}

void rigid_pose_center(const SkinningBinding *binding, const void *state, HemisphereVariant policy,
                       const SkinningPose *pose)
{
    rigid_pose_quats(binding->rig, pose->transforms, false, pose->joint_values, RIGID_CENTER_FLOATS);
    for (int joint = 0; joint < binding->rig->joint_count; joint++)
        memcpy(pose->joint_values + (size_t)joint * RIGID_CENTER_FLOATS + 4, &pose->transforms[joint],
               sizeof(Transform));
    variants_choose(binding, state, policy, pose->joint_values, RIGID_CENTER_FLOATS, pose->set_variants);
}

Status rigid_pose_blended(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    rigid_pose_dual_quat(binding, state, hemisphere_policy(binding->parameters[0]), RIGID_DUAL_QUAT_FLOATS,
                         pose);
    return status_ok();
}

Status rigid_pose_places(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    rigid_pose_quats(binding->rig, pose->transforms, false, pose->joint_values, RIGID_PLACE_FLOATS);
    for (int joint = 0; joint < binding->rig->joint_count; joint++) {
        double *values = pose->joint_values + (size_t)joint * RIGID_PLACE_FLOATS;
        vector_store(
            transform_point(pose->transforms[joint], transform_translation(binding->rig->rest[joint])),
            values + 4);
        values[7] = joint;
    }
    variants_choose(binding, state, hemisphere_policy(binding->parameters[0]), pose->joint_values,
                    RIGID_PLACE_FLOATS, pose->set_variants);
    return status_ok();
}

/* Bulging-free dual quaternion skinning: the palette holds the dual quaternions of DQS and the posed
 * bones. */
#include "datasets/rigging/bones.h"
#include "methods/posing/rigid_pose.h"

enum { HEMISPHERE, BULGING_FREE_PARAMETER_COUNT };

static const Parameter bulging_free_parameters[BULGING_FREE_PARAMETER_COUNT + 1] = {[HEMISPHERE] =
                                                                                        HEMISPHERE_PARAMETER};

/* Positions of values in the palette of a joint. */
enum {
    FROM = RIGID_DUAL_QUAT_FLOATS,
    LENGTH = FROM + 3,
    DIRECTION,
    REST_FROM = DIRECTION + 4,
    REST_DIRECTION = REST_FROM + 4,
    JOINT_FLOATS = REST_DIRECTION + 4
};

typedef struct BulgingFreeState {
    void *rigid;   /* rigid_pose_bind's */
    double *bones; /* [P][JOINT_FLOATS] palette values from LENGTH on that do not change between frames (all
                      but DIRECTION) */
} BulgingFreeState;

static void bulging_free_release(void *state)
{
    BulgingFreeState *bulging = state;
    if (!bulging)
        return;
    rigid_pose_release(bulging->rigid);
    FREE_ALL(bulging->bones, bulging);
}
DEFINE_OWNED_BY(BulgingFreeState, bulging_free_release)

/* Stores the palette values of a joint that depend only on rest frames: the length of its bone, and the
 * bone's position at rest. They are zero if the joint has no bone. */
static void rest_bone_store(const Rig *rig, int joint, double *values)
{
    Vec3 from, to;
    if (!joint_bone(rig, joint, &from, &to))
        to = from = vec3_make(0.0, 0.0, 0.0);
    const Vec3 bone = vec3_sub(to, from);
    values[LENGTH] = vec3_length(bone);
    vector_store(from, values + REST_FROM);
    vector_store(vec3_normalize(bone), values + REST_DIRECTION);
    values[DIRECTION + 3] = values[REST_FROM + 3] = values[REST_DIRECTION + 3] = 0.0;
}

static Status bulging_free_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const Rig *rig = binding->rig;
    (void)vertex_values;
    if (!rig->rest)
        return bad_input(
            "the rig has no rest frames (rig/rest), from which bulging-free-dqs takes its bones");
    OWNED_BY(bulging_free_release) BulgingFreeState *bulging = NULL;
    ALLOCATE(bulging, 1, "the bones");
    *bulging = (BulgingFreeState){0};
    STATUS_TRY(rigid_pose_bind(binding, NULL, &bulging->rigid));
    ALLOCATE_TABLE(bulging->bones, (size_t)rig->joint_count, JOINT_FLOATS, "the bones");
    for (int j = 0; j < rig->joint_count; j++)
        rest_bone_store(rig, j, bulging->bones + (size_t)j * JOINT_FLOATS);
    *state = TAKE(bulging);
    return status_ok();
}

static Status bulging_free_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const BulgingFreeState *bulging = state;
    Rig scaled = *binding->rig;
    scaled.rest = (Transform *)pose->rest;
    rigid_pose_dual_quat(binding, bulging->rigid, hemisphere_policy(binding->parameters[HEMISPHERE]),
                         JOINT_FLOATS, pose);
    for (int j = 0; j < binding->rig->joint_count; j++) {
        double *values = pose->joint_values + (size_t)j * JOINT_FLOATS;
        if (pose->rest == binding->rig->rest)
            memcpy(values + LENGTH, bulging->bones + (size_t)j * JOINT_FLOATS + LENGTH,
                   (JOINT_FLOATS - LENGTH) * sizeof *values);
        else
            rest_bone_store(&scaled, j, values);
        vector_store(transform_point(pose->transforms[j], vector_at(values + REST_FROM, 0)), values + FROM);
        vector_store(transform_direction(pose->transforms[j], vector_at(values + REST_DIRECTION, 0)),
                     values + DIRECTION);
    }
    return status_ok();
}

const SkinningMethod bulging_free_dqs_method = {
    .name = "bulging-free-dqs",
    .title = "Bulging-free dual quaternion skinning",
    .citation = "Kim and Han 2014 (a reconstruction)",
    .summary = "Dual quaternion skinning that pulls bulging skin back towards its bones.",
    .parameters = bulging_free_parameters,
    .floats_per_joint = JOINT_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = bulging_free_bind,
    .pose = bulging_free_pose,
    .release = bulging_free_release,
};

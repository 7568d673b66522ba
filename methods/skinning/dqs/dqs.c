/* Dual quaternion skinning: the palette is the joints' unit dual quaternions, signs chosen. */
#include "datasets/base/memory.h"
#include "methods/posing/rigid_pose.h"

enum { HEMISPHERE, DQS_PARAMETER_COUNT };
enum { DQS_FLOATS_PER_JOINT = 8 };

static const Parameter dqs_parameters[DQS_PARAMETER_COUNT] = {[HEMISPHERE] = HEMISPHERE_PARAMETER};

static InfluenceOrder dqs_influence_order(const double *parameters)
{
    return hemisphere_influence_order(parameters[HEMISPHERE]);
}

/* State: for each joint set, whether it has a negative weight. */
static Status dqs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    bool *negative = NULL;
    Status status = rigid_pose_bind(binding, &negative);
    *state = negative;
    return status;
}

static Status dqs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    Status status = rigid_pose_dual_quats("dqs", binding->rig, pose->transforms, pose->joint_values,
                                          DQS_FLOATS_PER_JOINT);
    if (status.code == STATUS_OK)
        rigid_pose_variants(binding, state, hemisphere_policy(binding->parameters[HEMISPHERE]),
                            pose->joint_values, DQS_FLOATS_PER_JOINT, pose->set_variants);
    return status;
}

const SkinningMethod dqs_method = {
    .name = "dqs",
    .title = "Dual quaternion skinning",
    .citation = "Kavan, Collins, Zara and O'Sullivan 2008, section 4 (DLB)",
    .parameters = dqs_parameters,
    .parameter_count = DQS_PARAMETER_COUNT,
    .floats_per_joint = DQS_FLOATS_PER_JOINT,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = dqs_influence_order,
    .bind = dqs_bind,
    .pose = dqs_pose,
    .release = memory_free,
};

/* Screw linear interpolation: the pose stage computes the logarithm of the screw motion between the two
 * joints of each set. */
#include "methods/posing/rigid_pose.h"

static Status sclerp_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    const JointSets *sets = binding->sets;
    rigid_pose_dual_quats(binding->rig, pose->transforms, pose->joint_values, RIGID_DUAL_QUAT_FLOATS);
    for (int set = 0; set < sets->set_count; set++) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        double *out = pose->set_values + (size_t)set * RIGID_LOG_FLOATS;
        if (sets->first_slot[set + 1] - sets->first_slot[set] < 2) {
            memset(out, 0, RIGID_LOG_FLOATS * sizeof *out);
            continue;
        }
        DualQuat between =
            dual_quat_mul(rigid_pose_dual_quat_at(pose->joint_values, joints[1]),
                          dual_quat_conjugate(rigid_pose_dual_quat_at(pose->joint_values, joints[0])));
        /* choose the sign of the shorter rotation; at a half turn, keep the signs along the hierarchy */
        if (between.real.w < -HEMISPHERE_HALF_TURN)
            between = dual_quat_scale(between, -1.0);
        RigidLog log = dual_quat_log(between);
        rigid_pose_log_store(log, out);
    }
    return status_ok();
}

const SkinningMethod sclerp_method = {
    .name = "sclerp",
    .title = "Screw linear interpolation",
    .citation = "Kavan, Collins, Zara and O'Sullivan 2008, section 3.4",
    .summary = "Interpolates between two joints along a screw motion; only for up to two joints per vertex.",
    .floats_per_joint = RIGID_DUAL_QUAT_FLOATS,
    .floats_per_set = RIGID_LOG_FLOATS,
    .max_influences = 2,
    .variant_count = 1,
    .rigid_only = true,
    .tolerance = 1e-5,
    .bind = rigid_pose_bind_nothing,
    .pose = sclerp_pose,
};

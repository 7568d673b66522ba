/* Log-matrix blending: the palette holds the logarithms of the joint transformations. */
#include "methods/posing/rigid_pose.h"

/* If the scalar part of a unit quaternion is below this value, its rotation is treated as a half turn. */
#define HALF_TURN 1e-9

/* Returns the sign that a quaternion needs for a rotation angle of at most pi. At a half turn both signs
 * are valid and give opposite logarithms; the sign is then chosen so that the last non-zero component of
 * the axis is positive. */
static double principal_sign(const double *q)
{
    if (fabs(q[0]) > HALF_TURN)
        return q[0] < 0.0 ? -1.0 : 1.0;
    for (int i = 3; i > 0; i--)
        if (fabs(q[i]) > HALF_TURN)
            return q[i] < 0.0 ? -1.0 : 1.0;
    return 1.0;
}

static Status log_matrix_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    const int count = binding->rig->joint_count;
    LOCAL_TABLE(double, quats, count, RIGID_DUAL_QUAT_FLOATS, "the joints' dual quaternions");
    rigid_pose_dual_quats(binding->rig, pose->transforms, quats, RIGID_DUAL_QUAT_FLOATS);
    for (int joint = 0; joint < count; joint++) {
        const DualQuat motion = rigid_pose_dual_quat_at(quats, joint);
        const double *q = quats + (size_t)joint * RIGID_DUAL_QUAT_FLOATS;
        const RigidLog log = dual_quat_log(dual_quat_scale(motion, principal_sign(q)));
        double *out = pose->joint_values + (size_t)joint * RIGID_LOG_FLOATS;
        rigid_pose_log_store(log, out);
    }
    return status_ok();
}

const SkinningMethod log_matrix_method = {
    .name = "log-matrix",
    .title = "Log-matrix blending",
    .citation = "Alexa 2002; Cordier and Magnenat-Thalmann 2005, as in DQS section 2.3",
    .summary =
        "Blends the logarithms of the joints' matrices, and so mixes centres of rotation as well as angles.",
    .floats_per_joint = RIGID_LOG_FLOATS,
    .variant_count = 1,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 1e-5,
    .bind = rigid_pose_bind_nothing,
    .pose = log_matrix_pose,
};

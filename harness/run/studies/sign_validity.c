/* Measures how often the signs of quaternions chosen along the hierarchy are invalid for a joint set (DQS
 * eq. 16), and how often no valid choice exists (DQS 4.1). Only joint sets with at least two joints count.
 * The measures are fractions of these sets, and of their vertices, over all frames. */
#include "harness/run/studies/study.h"

#include "methods/posing/rigid_pose.h"

/* Whether all quaternions of a joint set lie pairwise in one hemisphere. If `chosen` is set, each
 * quaternion is first flipped to the side of the first one (Algorithm 2, which finds valid signs if they
 * exist). */
static bool signs_hold(const double *quats, const int32_t *joints, int count, bool chosen)
{
    const Quat first = rigid_pose_dual_quat_at(quats, joints[0]).real;
    for (int i = 1; i < count; i++) {
        const Quat a = rigid_pose_dual_quat_at(quats, joints[i]).real;
        const bool a_turned = chosen && quat_dot(first, a) < 0.0;
        for (int k = 0; k < i; k++) {
            const Quat b = rigid_pose_dual_quat_at(quats, joints[k]).real;
            const double dot = quat_dot(a, b);
            if ((a_turned != (chosen && quat_dot(first, b) < 0.0) ? -dot : dot) < -HEMISPHERE_HALF_TURN)
                return false;
        }
    }
    return true;
}

static double share_percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

Status study_sign_validity(const StudyInput *input, Measures *measures)
{
    /* number of joint sets with at least two joints, and number of their vertices, summed over the frames */
    double all_sets = 0.0, all_vertices = 0.0;
    double sets_invalid = 0.0, vertices_invalid = 0.0, sets_hopeless = 0.0, vertices_hopeless = 0.0;
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0)
        return bad_input("there is no rig with transforms to choose signs for");
    const Rig *rig = &dataset->rig;
    LOCAL_TABLE(double, quats, rig->joint_count, RIGID_DUAL_QUAT_FLOATS, "a study");
    STATUS_TRY(joint_sets_init(rig, dataset->mesh.vertex_count, INFLUENCES_BY_JOINT, &sets));
    for (int frame = 0; frame < rig->frame_count; frame++) {
        rigid_pose_dual_quats(rig, rig->transforms + (size_t)frame * (size_t)rig->joint_count, quats,
                              RIGID_DUAL_QUAT_FLOATS);
        for (int set = 0; set < sets.set_count; set++) {
            const int32_t *joints = sets.joints + sets.first_slot[set];
            const int count = sets.first_slot[set + 1] - sets.first_slot[set];
            const double vertices = sets.first_vertex[set + 1] - sets.first_vertex[set];
            if (count < 2)
                continue;
            const bool invalid = !signs_hold(quats, joints, count, false);
            const bool hopeless = invalid && !signs_hold(quats, joints, count, true);
            all_sets += 1.0;
            all_vertices += vertices;
            sets_invalid += invalid;
            vertices_invalid += invalid ? vertices : 0.0;
            sets_hopeless += hopeless;
            vertices_hopeless += hopeless ? vertices : 0.0;
        }
    }
    measures_add(measures, "sets_invalid_percent", share_percent(sets_invalid, all_sets));
    measures_add(measures, "vertices_invalid_percent", share_percent(vertices_invalid, all_vertices));
    measures_add(measures, "sets_hopeless_percent", share_percent(sets_hopeless, all_sets));
    measures_add(measures, "vertices_hopeless_percent", share_percent(vertices_hopeless, all_vertices));
    return status_ok();
}

/* Rigid binding: every vertex follows its heaviest joint. Replace this with a description of your
 * method. */
#include "methods/runtime/skinning_method.h"

/* Fills in the palette: floats_per_joint numbers per joint, which the kernel reads as PALETTE(k, i). Here
 * they are the joint's transformation, 3 rows of 4. */
static Status joints_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    memcpy(pose->joint_values, pose->transforms, (size_t)binding->rig->joint_count * sizeof(Transform));
    return status_ok();
}

/* methods/runtime/skinning_method.h lists what else a method may define: parameters, a bind stage, values
 * per joint set and per vertex, variants of its kernel. */
const SkinningMethod template_method = {
    .name = "template",
    .title = "Rigid binding to the heaviest joint",
    .citation = "none: an example for authors",
    .floats_per_joint = 12,
    .rigid_only = true,
    .tolerance = 1e-5,
    .pose = joints_pose,
};

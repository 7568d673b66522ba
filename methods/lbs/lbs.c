/* Linear blend skinning: the palette is the joint transformations as they are. */
#include "methods/skinning.h"

#include <string.h>

static Status lbs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    (void)state;
    if (binding->rig->scale)
        return status_make(STATUS_BAD_INPUT,
                           "the rig has scale (rig/scale), which lbs does not apply: put scale "
                           "into rig/transforms");
    return status_ok();
}

static Status lbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    memcpy(pose->joint_values, pose->transforms, (size_t)binding->rig->joint_count * sizeof(Transform));
    return status_ok();
}

const SkinningMethod lbs_method = {
    .name = "lbs",
    .title = "Linear blend skinning",
    .citation = "Magnenat-Thalmann, Laperriere and Thalmann 1988; SBS eq. 1",
    .floats_per_joint = 12,
    .variant_count = 1,
    .tolerance = 1e-5,
    .bind = lbs_bind,
    .pose = lbs_pose,
};

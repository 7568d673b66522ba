/* Spherical blend skinning: the pose stage finds a centre of rotation for each joint set. */
#include "methods/posing/sbs_stages.h"

static const Parameter sbs_parameters[SBS_PARAMETER_COUNT + 1] = {SBS_PARAMETERS};
static const SkinningCounter sbs_counters[SBS_COUNTER_COUNT] = {SBS_COUNTERS};

const SkinningMethod sbs_method = {
    .name = "sbs",
    .title = "Spherical blend skinning",
    .citation = "Kavan and Zara 2005, section 4",
    .summary =
        "Blends the joints' rotations about a centre that is computed for each set of joints in every frame.",
    .parameters = sbs_parameters,
    .floats_per_joint = RIGID_CENTER_FLOATS,
    .floats_per_set = SET_CENTER_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = sbs_bind,
    .pose_workspace = sbs_workspace,
    .pose_frames = sbs_pose_frames,
    .pose = sbs_pose,
    .release = sbs_release,
    .counters = sbs_counters,
    .counter_count = SBS_COUNTER_COUNT,
    .count = sbs_count,
};

/* Spherical blend skinning: the pose stage finds a centre of rotation for each joint set. */
#include "datasets/base/memory.h"
#include "methods/rigid_pose.h"
#include "methods/set_centers.h"

enum { HEMISPHERE, CENTERS, CUT_OFF, LEAST_ANGLE, SBS_PARAMETER_COUNT };

static const Parameter sbs_parameters[SBS_PARAMETER_COUNT] = {
    [HEMISPHERE] = HEMISPHERE_PARAMETER,
    [CENTERS] = SET_CENTERS_SOLVER_PARAMETER,
    [CUT_OFF] = SET_CENTERS_CUT_OFF_PARAMETER,
    [LEAST_ANGLE] = SET_CENTERS_LEAST_ANGLE_PARAMETER,
};

typedef struct SbsState {
    bool *negative;
    SetCenters *centers;
} SbsState;

static InfluenceOrder sbs_influence_order(const double *parameters)
{
    return hemisphere_influence_order(parameters[HEMISPHERE]);
}

static void sbs_release(void *state)
{
    SbsState *sbs = state;
    if (!sbs)
        return;
    memory_free(sbs->negative);
    set_centers_free(sbs->centers);
    memory_free(sbs);
}

static Status sbs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    SbsState *sbs = memory_array(1, sizeof *sbs);
    if (!sbs)
        return status_out_of_memory("the joint sets");
    Status status = rigid_pose_bind(binding, &sbs->negative);
    if (status.code == STATUS_OK)
        status = set_centers_bind(binding, &sbs->centers);
    if (status.code == STATUS_OK)
        *state = sbs;
    else
        sbs_release(sbs);
    return status;
}

static Status sbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + CENTERS);
    Status status = rigid_pose_center("sbs", binding, sbs->negative,
                                      hemisphere_policy(binding->parameters[HEMISPHERE]), pose);
    if (status.code == STATUS_OK)
        status = set_centers_find(sbs->centers, &options, pose->transforms, pose->set_values, 3, NULL);
    return status;
}

const SkinningMethod sbs_method = {
    .name = "sbs",
    .title = "Spherical blend skinning",
    .citation = "Kavan and Zara 2005, section 4",
    .parameters = sbs_parameters,
    .parameter_count = SBS_PARAMETER_COUNT,
    .floats_per_joint = RIGID_CENTER_FLOATS,
    .floats_per_set = 3,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = sbs_influence_order,
    .bind = sbs_bind,
    .pose = sbs_pose,
    .release = sbs_release,
};

/* Pose stage: quaternions of the joints, and the centre of every joint set (SBS section 4). */
#include "methods/posing/sbs_stages.h"

#include "datasets/base/memory.h"

typedef struct SbsState {
    void *signs; /* rigid_pose_bind's */
    SetCenters *centers;
} SbsState;

void sbs_release(void *state)
{
    SbsState *sbs = state;
    if (!sbs)
        return;
    rigid_pose_release(sbs->signs);
    set_centers_free(sbs->centers);
    memory_free(sbs);
}

Status sbs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    SbsState *sbs = memory_array(1, sizeof *sbs);
    if (!sbs)
        return status_out_of_memory("the joint sets");
    Status status;
    STATUS_TRY(rigid_pose_bind(binding, vertex_values, &sbs->signs));
    STATUS_TRY(set_centers_bind(binding, &sbs->centers));
    *state = sbs;
done:
    if (status.code != STATUS_OK)
        sbs_release(sbs);
    return status;
}

size_t sbs_workspace(const void *state)
{
    return set_centers_workspace(((const SbsState *)state)->centers);
}

Status sbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + SBS_CENTERS);
    rigid_pose_center(binding, sbs->signs, hemisphere_policy(binding->parameters[SBS_HEMISPHERE]), pose);
    const CenterTarget target = {pose->set_values, SBS_FLOATS_PER_SET};
    return set_centers_find(sbs->centers, &options, pose->transforms, pose->frame_count, pose->rest, &target,
                            pose->workspace, NULL);
}

Status sbs_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed, double *counts)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + SBS_CENTERS);
    const CenterTarget target = {posed->set_values, SBS_FLOATS_PER_SET};
    int svds = 0;
    Status status = set_centers_find(sbs->centers, &options, posed->transforms, 1, posed->rest, &target,
                                     posed->workspace, &svds);
    counts[SBS_NONTRIVIAL_SETS] = set_centers_nontrivial(sbs->centers);
    counts[SBS_SVDS] = svds;
    return status;
}

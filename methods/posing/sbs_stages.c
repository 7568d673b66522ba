/* Pose stage: quaternions of the joints, and the centre of every joint set (SBS section 4). */
#include "methods/posing/sbs_stages.h"

#include "datasets/geometry/transform_columns.h"

typedef struct SbsState {
    void *signs; /* rigid_pose_bind's */
    SetCenters *centers;
    /* Of the workspace: what set_centers_find works in. Then the centres follow, [POSE_FRAMES][S][3]. */
    size_t centers_bytes;
    size_t set_count; /* S */
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

DEFINE_OWNED_BY(SbsState, sbs_release)

Status sbs_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    OWNED_BY(sbs_release) SbsState *sbs = NULL;
    ALLOCATE(sbs, 1, "the joint sets");
    STATUS_TRY(rigid_pose_bind(binding, vertex_values, &sbs->signs));
    STATUS_TRY(set_centers_bind(binding, &sbs->centers));
    sbs->centers_bytes = set_centers_workspace(sbs->centers);
    sbs->set_count = (size_t)binding->sets->set_count;
    *state = TAKE(sbs);
    return status_ok();
}

size_t sbs_workspace(const void *state)
{
    const SbsState *sbs = state;
    return sbs->centers_bytes + POSE_FRAMES * sbs->set_count * 3 * sizeof(double);
}

typedef double RowHalf __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* C r to out [3], all rows at once; *r is followed by a 1. */
static inline __attribute__((always_inline)) void point_move(const Transform *transform,
                                                             const TransformRow *r, double *out)
{
    const TransformRowInMemory *rows = (const TransformRowInMemory *)&transform->m00;
    const TransformRow x = rows[0] * *r, y = rows[1] * *r, z = rows[2] * *r;
    const TransformRow xy =
        __builtin_shufflevector(x, y, 0, 4, 2, 6) + __builtin_shufflevector(x, y, 1, 5, 3, 7);
    const TransformRow zz = z + __builtin_shufflevector(z, z, 1, 0, 3, 2);
    *(RowHalf *)out = __builtin_shufflevector(xy, xy, 0, 1) + __builtin_shufflevector(xy, xy, 2, 3);
    out[2] = zz[0] + zz[2];
}

/* The centres of a frame, [S][3], and where the joints of each set move its own: values
 * [S][SET_CENTER_FLOATS]. */
WIDEST_VECTORS
static void centers_move(const JointSets *sets, const Transform *transforms, const double *centers,
                         double *values)
{
    for (int set = 0; set < sets->set_count; set++, centers += 3, values += SET_CENTER_FLOATS) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        const int size = joint_set_size(sets, set), count = size > SET_CENTER_JOINTS ? 0 : size;
        const TransformRow r = {centers[0], centers[1], centers[2], 1.0};
        memcpy(values, centers, SET_CENTER_MOVED * sizeof *values);
        for (int i = SET_CENTER_MOVED; i < SET_CENTER_FLOATS; i++)
            values[i] = 0.0;
        for (int k = 0; k < count; k++)
            point_move(&transforms[joints[k]], &r, values + SET_CENTER_MOVED + 3 * k);
    }
}

static double *centers_in(const SbsState *sbs, const SkinningPose *pose)
{
    return (double *)((char *)pose->workspace + sbs->centers_bytes);
}

Status sbs_pose_frames(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + SBS_CENTERS);
    const CenterTarget target = {centers_in(sbs, pose), 3};
    return set_centers_find(sbs->centers, &options, pose->transforms, pose->frame_count, pose->rest, &target,
                            pose->workspace, NULL);
}

Status sbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const SbsState *sbs = state;
    rigid_pose_center(binding, sbs->signs, hemisphere_policy(binding->parameters[SBS_HEMISPHERE]), pose);
    centers_move(binding->sets, pose->transforms,
                 centers_in(sbs, pose) + (size_t)pose->frame * sbs->set_count * 3, pose->set_values);
    return status_ok();
}

Status sbs_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed, double *counts)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + SBS_CENTERS);
    const CenterTarget target = {centers_in(sbs, posed), 3};
    int svds = 0;
    Status status = set_centers_find(sbs->centers, &options, posed->transforms, 1, posed->rest, &target,
                                     posed->workspace, &svds);
    counts[SBS_NONTRIVIAL_SETS] = set_centers_nontrivial(sbs->centers);
    counts[SBS_SVDS] = svds;
    return status;
}

/* Pose stage of spherical blend skinning: quaternions of the joints, and the centre of every joint set (SBS
 * section 4). */
#include "methods/posing/sbs_stages.h"

#include "methods/posing/set_centers_fast.h"

typedef struct SbsState {
    void *signs; /* rigid_pose_bind's */
    SetCenters *centers;
    /* Size in bytes of the workspace of set_centers_find. In the pose stage's workspace, the centres
     * [S][3][frames] follow it. */
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

/* Writes the moved centre C r to out [3]. The four values from *r on are the centre and 1. */
INLINE void point_move(const Transform *transform, const TransformRow *r, double *out)
{
    const TransformRowInMemory *rows = (const TransformRowInMemory *)&transform->m00;
    const TransformRow x = rows[0] * *r, y = rows[1] * *r, z = rows[2] * *r;
    const TransformRow xy =
        __builtin_shufflevector(x, y, 0, 4, 2, 6) + __builtin_shufflevector(x, y, 1, 5, 3, 7);
    const TransformRow zz = z + __builtin_shufflevector(z, z, 1, 0, 3, 2);
    *(RowHalf *)out = __builtin_shufflevector(xy, xy, 0, 1) + __builtin_shufflevector(xy, xy, 2, 3);
    out[2] = zz[0] + zz[2];
}

/* Writes the centres [S][3][frames] of the first frame, and their images under the joints of each set, to
 * values [S][SET_CENTER_FLOATS]. */
WIDEST_VECTORS
static void centers_move(const JointSets *sets, const Transform *transforms, const double *centers,
                         int frames, double *values)
{
    for (int set = 0; set < sets->set_count; set++, centers += 3 * frames, values += SET_CENTER_FLOATS) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        const int size = joint_set_size(sets, set), count = size > SET_CENTER_JOINTS ? 0 : size;
        const TransformRow r = {centers[0], centers[frames], centers[2 * frames], 1.0};
        *(RowHalf *)values = __builtin_shufflevector(r, r, 0, 1);
        values[2] = r[2];
        for (int i = SET_CENTER_MOVED; i < SET_CENTER_FLOATS; i++)
            values[i] = 0.0;
        for (int k = 0; k < count; k++)
            point_move(&transforms[joints[k]], &r, values + SET_CENTER_MOVED + 3 * k);
    }
}

/* One value in each of POSE_FRAMES frames, as doubles and as floats. */
typedef double FrameDoubles
    __attribute__((vector_size(POSE_FRAMES * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef float FrameFloats __attribute__((vector_size(POSE_FRAMES * sizeof(float))));
#define FRAMES_FLOAT(lanes) __builtin_convertvector(lanes, FrameFloats)
typedef float FloatQuad __attribute__((vector_size(4 * sizeof(float)), aligned(sizeof(float)), may_alias));
#define ROW_STORE(frame, lanes)                                                                              \
    (*(FloatQuad *)(out + (frame)*step) = __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3),                 \
     *(FloatQuad *)(out + ((frame) + 4) * step) = __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7))

/* Transposes four values of a set, stored as one vector of frames per value, to one row per frame. Rows are
 * `step` numbers apart. */
INLINE void values_turn(const FrameFloats *lanes, ptrdiff_t step, float *out)
{
    const FrameFloats a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    const FrameFloats ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
                      cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
                      ab2 = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
                      cd2 = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    const FrameFloats frame0 = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13),
                      frame1 = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15),
                      frame2 = __builtin_shufflevector(ab2, cd2, 0, 1, 8, 9, 4, 5, 12, 13),
                      frame3 = __builtin_shufflevector(ab2, cd2, 2, 3, 10, 11, 6, 7, 14, 15);
    ROW_STORE(0, frame0);
    ROW_STORE(1, frame1);
    ROW_STORE(2, frame2);
    ROW_STORE(3, frame3);
}

/* Writes the centres of all joint sets, and their images under the joints of each set, for POSE_FRAMES
 * frames side by side. Reads joints [P][TRANSFORM_ELEMENTS][POSE_FRAMES] and writes floats
 * [POSE_FRAMES][S][SET_CENTER_FLOATS]. Values that the kernel does not read are not written. */
WIDEST_VECTORS
static void centers_move_frames(const JointSets *sets, const double *transforms, const double *centers,
                                float *values)
{
    for (int set = 0; set < sets->set_count; set++, centers += 3 * POSE_FRAMES, values += SET_CENTER_FLOATS) {
        const int32_t *joints = sets->joints + sets->first_slot[set];
        const int size = joint_set_size(sets, set), count = size > SET_CENTER_JOINTS ? 0 : size;
        const int used = SET_CENTER_MOVED + 3 * count;
        const FrameDoubles *const r = (const FrameDoubles *)centers, x = r[0], y = r[1], z = r[2];
        FrameFloats columns[SET_CENTER_FLOATS];
        columns[0] = FRAMES_FLOAT(x);
        columns[1] = FRAMES_FLOAT(y);
        columns[2] = FRAMES_FLOAT(z);
        for (int k = 0; k < count; k++) {
            const FrameDoubles *const c = (const FrameDoubles *)transforms + TRANSFORM_ELEMENTS * joints[k];
            FrameFloats *const moved = columns + SET_CENTER_MOVED + 3 * k;
            moved[0] = FRAMES_FLOAT(c[0] * x + c[1] * y + (c[2] * z + c[3]));
            moved[1] = FRAMES_FLOAT(c[4] * x + c[5] * y + (c[6] * z + c[7]));
            moved[2] = FRAMES_FLOAT(c[8] * x + c[9] * y + (c[10] * z + c[11]));
        }
        for (int value = used; value % 4 > 0; value++)
            columns[value] = columns[0];
        for (int value = 0; value < used; value += 4)
            values_turn(&columns[value], (ptrdiff_t)sets->set_count * SET_CENTER_FLOATS, values + value);
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
    double *centers = centers_in(sbs, pose);
    STATUS_TRY(set_centers_find(sbs->centers, &options, pose->transforms, pose->frame_count, pose->rest,
                                pose->workspace, centers, NULL));
    if (pose->set_floats) {
        double *columns = pose->workspace;
        if (options.solver != SET_CENTERS_FAST)
            joint_columns_transpose(pose->transforms, binding->rig->joint_count, columns);
        centers_move_frames(binding->sets, columns, centers, pose->set_floats);
    }
    return status_ok();
}

Status sbs_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    const SbsState *sbs = state;
    rigid_pose_center(binding, sbs->signs, hemisphere_policy(binding->parameters[SBS_HEMISPHERE]), pose);
    if (!pose->set_floats)
        centers_move(binding->sets, pose->transforms, centers_in(sbs, pose) + pose->frame, pose->frame_count,
                     pose->set_values);
    return status_ok();
}

Status sbs_count(const SkinningBinding *binding, const void *state, const SkinningPose *posed, double *counts)
{
    const SbsState *sbs = state;
    const SetCentersOptions options = set_centers_options(binding->parameters + SBS_CENTERS);
    int svds = 0;
    Status status = set_centers_find(sbs->centers, &options, posed->transforms, 1, posed->rest,
                                     posed->workspace, centers_in(sbs, posed), &svds);
    counts[SBS_NONTRIVIAL_SETS] = set_centers_nontrivial(sbs->centers);
    counts[SBS_SVDS] = svds;
    return status;
}

/* A rig for studies: a few joints in one pose, and loose vertices. */
#include "harness/run/studies/small_rig.h"

Status small_rig_init(int joint_count, int vertex_count, SmallRig *out)
{
    *out = (SmallRig){.joint_count = joint_count, .vertex_count = vertex_count};
    for (int j = 0; j < SMALL_RIG_JOINTS_MAX; j++) {
        out->parents[j] = j - 1;
        out->rest[j] = out->pose[j] = transform_identity();
    }
    ALLOCATE_TABLE(out->positions, vertex_count, 3, "the rig of a study");
    ALLOCATE_TABLE(out->weights, vertex_count, joint_count, "the rig of a study");
    return status_ok();
}

void small_rig_clear(SmallRig *rig)
{
    FREE_ALL(rig->positions, rig->weights);
    *rig = (SmallRig){0};
}

void small_rig_vertex(const SmallRig *rig, int vertex, Vec3 position, const double *weights)
{
    point_set(rig->positions, vertex, position);
    for (int j = 0; j < rig->joint_count; j++)
        rig->weights[(size_t)vertex * (size_t)rig->joint_count + (size_t)j] = (float)weights[j];
}

Status small_rig_skin(const SmallRig *rig, const SkinnerOptions *options, double *out)
{
    size_t slots = (size_t)rig->vertex_count * (size_t)rig->joint_count;
    SmallRig copy = *rig;
    LOCAL_ARRAY(int32_t, joints, slots, "the rig of a study");
    for (size_t i = 0; i < slots; i++)
        joints[i] = (int32_t)(i % (size_t)rig->joint_count);
    Mesh mesh = {.vertex_count = rig->vertex_count, .rest = rig->positions};
    Rig full = {.joint_count = rig->joint_count,
                .frame_count = 1,
                .influence_count = rig->joint_count,
                .parents = copy.parents,
                .rest = copy.rest,
                .transforms = copy.pose,
                .weight_joints = joints,
                .weight_values = rig->weights};
    return study_skin(options, &mesh, &full, 0, out);
}

void small_rig_corners(const SmallRig *rig, int map, const double *weights)
{
    for (int corner = 0; corner < SMALL_RIG_CORNERS; corner++)
        small_rig_vertex(rig, SMALL_RIG_CORNERS * map + corner,
                         vec3_make(corner == 1, corner == 2, corner == 3), weights);
}

Status small_rig_maps(const SmallRig *rig, const SkinnerOptions *options, Transform *maps)
{
    LOCAL_TABLE(double, moved, rig->vertex_count, 3, "the rig of a study");
    STATUS_TRY(small_rig_skin(rig, options, moved));
    for (int i = 0; i < rig->vertex_count / SMALL_RIG_CORNERS; i++) {
        const double *o = moved + 12 * (ptrdiff_t)i, *x = o + 3, *y = o + 6, *z = o + 9;
        maps[i] = (Transform){x[0] - o[0], y[0] - o[0], z[0] - o[0], o[0],        x[1] - o[1], y[1] - o[1],
                              z[1] - o[1], o[1],        x[2] - o[2], y[2] - o[2], z[2] - o[2], o[2]};
    }
    return status_ok();
}

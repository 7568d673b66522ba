#include "harness/studies/small_rig.h"

#include "datasets/base/memory.h"
#include "harness/bench/bench.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <math.h>
#include <string.h>

static const Transform identity = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};

Status small_rig_make(int joint_count, int vertex_count, SmallRig *out)
{
    SmallRig rig = {.joint_count = joint_count, .vertex_count = vertex_count};
    for (int j = 0; j < SMALL_RIG_JOINTS_MAX; j++) {
        rig.parents[j] = j - 1;
        rig.rest[j] = rig.pose[j] = identity;
    }
    rig.positions = memory_table((size_t)vertex_count, 3, sizeof *rig.positions);
    rig.weights = memory_table((size_t)vertex_count, (size_t)joint_count, sizeof *rig.weights);
    if (!rig.positions || !rig.weights) {
        small_rig_clear(&rig);
        return status_out_of_memory("the rig of a study");
    }
    *out = rig;
    return status_ok();
}

void small_rig_clear(SmallRig *rig)
{
    memory_free(rig->positions);
    memory_free(rig->weights);
    *rig = (SmallRig){0};
}

void small_rig_vertex(const SmallRig *rig, int vertex, Vec3 position, const double *weights)
{
    float *at = rig->positions + 3 * (size_t)vertex;
    at[0] = (float)position.x;
    at[1] = (float)position.y;
    at[2] = (float)position.z;
    for (int j = 0; j < rig->joint_count; j++)
        rig->weights[(size_t)vertex * (size_t)rig->joint_count + (size_t)j] = (float)weights[j];
}

static Status skin(const Rig *rig, const Mesh *mesh, const SkinningPlan *plan, double *out)
{
    SkinnerOptions options = {
        .entry = plan->entry, .parameters = plan->parameters, .backend = BACKEND_REFERENCE};
    Skinner *skinner = NULL;
    Status status;
    STATUS_TRY(skinner_create(&options, mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig->transforms, NULL, 1));
    STATUS_TRY(skinner_skin(skinner));
    STATUS_TRY(skinner_read_double(skinner, 0, out, NULL));
done:
    skinner_free(skinner);
    return status;
}

Status small_rig_skin(const SmallRig *rig, const char *method, const char *const *settings, int setting_count,
                      double *out)
{
    size_t slots = (size_t)rig->vertex_count * (size_t)rig->joint_count;
    SmallRig copy = *rig;
    SkinningPlan plan;
    if (!skinning_entry_find(method))
        return status_make(STATUS_UNAVAILABLE, "the method '%s' is not built in", method);
    Status status = skinning_plan_make(method, settings, setting_count, &plan);
    if (status.code != STATUS_OK)
        return status;
    int32_t *joints = memory_array(slots, sizeof *joints);
    if (!joints)
        return status_out_of_memory("the rig of a study");
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
    status = skin(&full, &mesh, &plan, out);
    memory_free(joints);
    return status;
}

Transform small_rig_turn(Vec3 axis, double angle_rad, Vec3 center, Vec3 moved)
{
    const double s = sin(0.5 * angle_rad);
    const Quat q = quat_make(cos(0.5 * angle_rad), s * axis.x, s * axis.y, s * axis.z);
    const Vec3 x = quat_rotate(q, vec3_make(1.0, 0.0, 0.0)), y = quat_rotate(q, vec3_make(0.0, 1.0, 0.0));
    const Vec3 z = quat_rotate(q, vec3_make(0.0, 0.0, 1.0));
    const Vec3 t = vec3_add(vec3_sub(center, quat_rotate(q, center)), moved);
    return (Transform){x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z};
}

/* Orders the influences of a rig and compares its linear blend with that of the nodes which stand for its
 * joints. */
#include "datasets/formats/gltf_skin.h"

#include "datasets/model/evaluate.h"
#include "datasets/model/prune.h"

Status gltf_skin_init(const Mesh *mesh, const Rig *rig, const char *path, const Progress *progress,
                      GltfSkin *out)
{
    *out = (GltfSkin){0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)mesh->vertex_count * rig->influence_count; i++)
        if (rig->weight_values[i] < 0.0f)
            return bad_input("%s: a weight of vertex %lld is %g, but glTF allows none below 0; --baked "
                             "writes positions instead of a skin",
                             path, (long long)(i / rig->influence_count), (double)rig->weight_values[i]);
    const size_t slots = (size_t)mesh->vertex_count * (size_t)rig->influence_count;
    CLEANUP(rig_clear)
    Rig ordered = {.joint_count = rig->joint_count, .influence_count = rig->influence_count};
    ALLOCATE(ordered.weight_joints, slots, "the weights");
    ALLOCATE(ordered.weight_values, slots, "the weights");
    if (slots > 0) {
        memcpy(ordered.weight_joints, rig->weight_joints, slots * sizeof *ordered.weight_joints);
        memcpy(ordered.weight_values, rig->weight_values, slots * sizeof *ordered.weight_values);
        STATUS_TRY(rig_prune(&ordered, mesh->vertex_count, rig->influence_count));
    }
    out->influence_count = ordered.influence_count;
    out->weight_joints = TAKE(ordered.weight_joints);
    out->weight_values = TAKE(ordered.weight_values);
    STATUS_TRY(joint_nodes_init(mesh, rig, &out->nodes));
    const int joints = rig->joint_count, vertices = mesh->vertex_count;
    LOCAL_ARRAY(Transform, posed, joints, "a frame of joints");
    /* Of one frame. */
    const Rig written = {.joint_count = joints,
                         .frame_count = 1,
                         .influence_count = out->influence_count,
                         .transforms = posed,
                         .weight_joints = out->weight_joints,
                         .weight_values = out->weight_values};
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0);
    double squared = 0.0, max = 0.0;
    for (int f = 0; f < rig->frame_count; f++) {
        if (!progress_report(progress, "comparing the skin", (double)f / rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped while the skin was compared");
        joint_nodes_pose(&out->nodes, f, posed);
        for (int v = 0; v < vertices; v++) {
            const Vec3 rest = point_at(mesh->rest, v);
            const Vec3 apart =
                vec3_sub(rig_skin_point(&written, 0, v, rest, zero), rig_skin_point(rig, f, v, rest, zero));
            const double distance = vec3_dot(apart, apart);
            squared += distance;
            max = distance > max ? distance : max;
        }
    }
    const double count = (double)rig->frame_count * vertices;
    out->loss_max = sqrt(max);
    out->loss_rms = count > 0.0 ? sqrt(squared / count) : 0.0;
    return status_ok();
}

void gltf_skin_clear(GltfSkin *skin)
{
    joint_nodes_clear(&skin->nodes);
    FREE_ALL(skin->weight_joints, skin->weight_values);
    *skin = (GltfSkin){0};
}

/* Direct quaternion blending: the bind stage chooses each vertex' centre of rotation. */
#include "datasets/base/memory.h"
#include "methods/posing/rigid_pose.h"

enum { HEMISPHERE, QB_PARAMETER_COUNT };

static const Parameter qb_parameters[QB_PARAMETER_COUNT] = {[HEMISPHERE] = HEMISPHERE_PARAMETER};

/* The rest position of the influencing joint that is nearest to the vertex, the lowest joint of equals. */
static Vec3 nearest_joint(const Rig *rig, const int32_t *joints, int count, Vec3 vertex)
{
    Vec3 nearest = {0.0, 0.0, 0.0};
    double least = 0.0;
    int32_t chosen = -1;
    for (int k = 0; k < count; k++) {
        const Transform *frame = &rig->rest[joints[k]];
        Vec3 position = vec3_make(frame->m03, frame->m13, frame->m23);
        Vec3 arm = vec3_sub(position, vertex);
        double distance = vec3_dot(arm, arm);
        if (chosen < 0 || distance < least || (distance == least && joints[k] < chosen)) {
            nearest = position;
            least = distance;
            chosen = joints[k];
        }
    }
    return nearest;
}

static Status qb_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const JointSets *sets = binding->sets;
    if (!binding->rig->rest)
        return status_make(STATUS_BAD_INPUT,
                           "the rig has no rest frames (rig/rest), where qb finds its centres of rotation");
    Status status = rigid_pose_bind(binding, NULL, state);
    if (status.code != STATUS_OK)
        return status;
    for (int set = 0; set < sets->set_count; set++)
        for (int i = sets->first_vertex[set]; i < sets->first_vertex[set + 1]; i++) {
            const float *rest = binding->mesh->rest + 3 * (size_t)sets->vertices[i];
            Vec3 center = nearest_joint(binding->rig, sets->joints + sets->first_slot[set],
                                        sets->first_slot[set + 1] - sets->first_slot[set],
                                        vec3_make((double)rest[0], (double)rest[1], (double)rest[2]));
            vertex_values[3 * (size_t)i] = center.x;
            vertex_values[3 * (size_t)i + 1] = center.y;
            vertex_values[3 * (size_t)i + 2] = center.z;
        }
    return status;
}

static Status qb_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    rigid_pose_center(binding, state, hemisphere_policy(binding->parameters[HEMISPHERE]), pose);
    return status_ok();
}

const SkinningMethod qb_method = {
    .name = "qb",
    .title = "Direct quaternion blending",
    .citation = "Hejl 2004, as in DQS section 2.3",
    .parameters = qb_parameters,
    .parameter_count = QB_PARAMETER_COUNT,
    .floats_per_joint = RIGID_CENTER_FLOATS,
    .floats_per_vertex = 3,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = qb_bind,
    .pose = qb_pose,
    .release = memory_free,
};

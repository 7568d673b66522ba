/* Direct quaternion blending: the bind stage chooses the centre of rotation of each vertex. */
#include "datasets/geometry/points.h"
#include "methods/posing/rigid_pose.h"

static const Parameter qb_parameters[] = {HEMISPHERE_PARAMETER, {0}};

/* Values of a vertex: the rest position and the index of the joint about which the vertex turns. */
enum { CENTER, NEAREST = 3, QB_VERTEX_FLOATS };

static Status qb_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    const JointSets *sets = binding->sets;
    if (!binding->rig->rest)
        return bad_input(
            "the rig has no rest frames (rig/rest), from which qb takes its centres of rotation");
    STATUS_TRY(rigid_pose_bind(binding, NULL, state));
    for (int set = 0; set < sets->set_count; set++)
        for (int i = sets->first_vertex[set]; i < sets->first_vertex[set + 1]; i++) {
            const float *rest = binding->mesh->rest + 3 * (size_t)sets->vertices[i];
            const int32_t *joints = sets->joints + sets->first_slot[set];
            /* find the influencing joint whose rest position is nearest to the vertex; on a tie, the joint
             * with the lowest index wins */
            const Rig *rig = binding->rig;
            double min = 0.0;
            int nearest = -1;
            for (int k = 0; k < joint_set_size(sets, set); k++) {
                Vec3 arm = vec3_sub(transform_translation(rig->rest[joints[k]]), point_at(rest, 0));
                double distance = vec3_dot(arm, arm);
                if (nearest < 0 || distance < min || (distance == min && joints[k] < joints[nearest])) {
                    min = distance;
                    nearest = k;
                }
            }
            Vec3 center = transform_translation(rig->rest[joints[nearest]]);
            double *values = vertex_values + QB_VERTEX_FLOATS * (size_t)i;
            values[CENTER] = center.x;
            values[CENTER + 1] = center.y;
            values[CENTER + 2] = center.z;
            values[NEAREST] = joints[nearest];
        }
    return status_ok();
}

const SkinningMethod qb_method = {
    .name = "qb",
    .title = "Direct quaternion blending",
    .citation = "Hejl 2004, as in DQS section 2.3",
    .summary = "Blends the joints' quaternions about the joint nearest to the vertex; skin splits where that "
               "joint changes.",
    .parameters = qb_parameters,
    .floats_per_joint = RIGID_PLACE_FLOATS,
    .floats_per_vertex = QB_VERTEX_FLOATS,
    .variant_count = HEMISPHERE_VARIANT_COUNT,
    .allows_zero_weight_padding = true,
    .rigid_only = true,
    .tolerance = 1e-5,
    .influence_order = hemisphere_influence_order,
    .bind = qb_bind,
    .pose = rigid_pose_places,
    .release = rigid_pose_release,
};

/* Models with a bone for every vertex, and with one bone for all vertices (simple_models.h). */
#include "methods/fitting/simple_models.h"

#include "methods/fitting/group_maps.h"

Status vertex_bones_fit(const DecompositionInput *input, DecompositionResult *result)
{
    const int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    Rig *rig = &result->rig;
    LOCAL_TABLE(float, positions, vertices, 3, "the bones");
    STATUS_TRY(decomposition_result_begin(result, vertices, 0));
    STATUS_TRY(rig_allocate(rig, vertices, vertices, frames, 1));
    ALLOCATE_TABLE(result->rest, vertices, 3, "the rest pose");
    memcpy(result->rest, input->mesh->rest, 3 * sizeof(float) * (size_t)vertices);
    for (int32_t v = 0; v < vertices; v++) {
        rig->weight_joints[v] = v;
        rig->weight_values[v] = 1.0f;
    }
    for (ptrdiff_t frame = 0; frame < frames; frame++) {
        STATUS_TRY(decomposition_frame(input->ranks, input->animation, vertices, (int)frame, positions));
        for (ptrdiff_t v = 0; v < vertices; v++) {
            const float *rest = result->rest + 3 * v, *position = positions + 3 * v;
            rig->transforms[frame * vertices + v] = (Transform){.m00 = 1.0,
                                                                .m11 = 1.0,
                                                                .m22 = 1.0,
                                                                .m03 = (double)position[0] - (double)rest[0],
                                                                .m13 = (double)position[1] - (double)rest[1],
                                                                .m23 = (double)position[2] - (double)rest[2]};
        }
    }
    result->bones_delivered = vertices;
    result->end = FIT_EXACT;
    return status_ok();
}

Status single_bone_replace(const DecompositionInput *input, const DecompositionOptions *options, bool rigid,
                           DecompositionResult *result)
{
    double squared_error = 0.0, *best = &result->squared_error[result->iteration_count];
    const int vertices = input->mesh->vertex_count;
    DecompositionOptions single = *options;
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    LOCAL_ARRAY(int32_t, group_of, vertices, "a single bone");
    single.influences = 1;
    STATUS_TRY(skin_fit_make(input, &single, &fit));
    STATUS_TRY(groups_of_vertices(group_of, vertices, 1, &groups));
    STATUS_TRY(skin_fit_maps(&fit, &groups, rigid));
    for (int v = 0; v < vertices; v++)
        fit.weights[v] = 1.0;
    STATUS_TRY(skin_fit_error(&fit, &squared_error));
    if (!(squared_error < *best))
        return status_ok();
    rig_clear(&result->rig);
    low_rank_clear(&result->low_rank);
    memory_release(&result->rest);
    STATUS_TRY(skin_fit_deliver(&fit, result, best));
    return rig_fill_joints(&result->rig);
}

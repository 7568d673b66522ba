#include "datasets/generate/generate_parts.h"

#include "datasets/model/evaluate.h"

Status generate_blend(const Progress *progress, Dataset *dataset)
{
    const Mesh *mesh = &dataset->mesh;
    const Rig *rig = &dataset->rig;
    Animation *animation = &dataset->animation;
    STATUS_TRY(animation_allocate(animation, rig->frame_count, mesh->vertex_count, 0));
    for (int f = 0; f < rig->frame_count; f++) {
        for (int v = 0; v < mesh->vertex_count; v++)
            point_set(animation->positions, (ptrdiff_t)f * mesh->vertex_count + v,
                      rig_skin_point(rig, f, v, point_at(mesh->rest, v), vec3_make(0.0, 0.0, 0.0)));
        STATUS_TRY(progress_try(progress, "blending the frames", (f + 1.0) / rig->frame_count, NULL));
    }
    return status_ok();
}

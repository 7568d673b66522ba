/* Skins and fits what a scene shows. */
#include "harness/run/repeat/scene_shapes.h"

#include "datasets/base/memory.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/run/bench/fit_cell.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <string.h>

static size_t frame_values(const ViewerScene *scene)
{
    return 3 * (size_t)scene->mesh->vertex_count;
}

static Status positions_allocate(const ViewerScene *scene, ViewerShape *shape)
{
    shape->positions =
        memory_table((size_t)scene->frame_count, frame_values(scene), sizeof *shape->positions);
    return shape->positions ? status_ok() : status_out_of_memory("the frames of a scene");
}

/* The frames that are shown of any source. */
static Status shown_frames_read(const ViewerScene *scene, FrameSource *source, ViewerShape *shape)
{
    Status status = positions_allocate(scene, shape);
    for (int f = 0; f < scene->frame_count && status.code == STATUS_OK; f++)
        status = frame_source_read(source, f * scene->frame_step, 1,
                                   shape->positions + (size_t)f * frame_values(scene));
    return status;
}

Status scene_shape_copy(const ViewerScene *scene, const Subject *subject, ViewerShape *shape)
{
    FrameSource *source = NULL;
    Status status = frame_source_of_parts(subject->name, scene->mesh, &subject->dataset->animation, NULL,
                                          NULL, 1, &source);
    if (status.code == STATUS_OK)
        status = shown_frames_read(scene, source, shape);
    frame_source_close(source);
    return status;
}

Status scene_shape_skin(const ViewerScene *scene, const Subject *subject, const Cell *cell, int threads,
                        ViewerShape *shape)
{
    const Rig *rig = &subject->dataset->rig;
    SkinnerOptions options = {.backend = &backend_simd,
                              .threads = threads,
                              .two_phase = cell->two_phase,
                              .first_phase = skinning_first_phase()};
    Skinner *skinner = NULL;
    Status status;
    STATUS_TRY(skinning_entry_named(cell->method, &options.entry));
    const SkinningMethod *method = options.entry->method;
    STATUS_TRY(argument_values(cell->parameters, method->parameters, method->parameter_count, method->name,
                               &options.parameters));
    STATUS_TRY(skinner_create(&options, scene->mesh, rig, &skinner));
    STATUS_TRY(positions_allocate(scene, shape));
    for (int f = 0; f < scene->frame_count; f++) {
        const size_t pose = (size_t)(f * scene->frame_step) * (size_t)rig->joint_count;
        STATUS_TRY(skinner_pose(skinner, rig->transforms + pose, rig->scale ? rig->scale + pose : NULL, 1));
        STATUS_TRY(skinner_skin(skinner));
        STATUS_TRY(skinner_read(skinner, 0, shape->positions + (size_t)f * frame_values(scene), NULL));
    }
done:
    skinner_free(skinner);
    return status;
}

Status scene_shape_fit(const ViewerScene *scene, const Subject *subject, const Record *record,
                       const Progress *progress, ViewerShape *shape, double *e_rms)
{
    Mesh rest = *scene->mesh;
    ParameterValues values;
    FitTask task;
    FitOutcome outcome = {0};
    FrameSource *source = NULL;
    Status status;
    STATUS_TRY(fit_task_of_cell(&record->cell, subject, progress, &values, &task));
    if (task.error > 0.0) {
        task.error = 0.0;
        task.options.bones = record->fit.bones_requested;
    }
    STATUS_TRY(fit_task_run(&task, &outcome));
    *e_rms = metric_named("e_rms", &outcome.metrics);
    if (outcome.result.rest)
        rest.rest = outcome.result.rest;
    STATUS_TRY(frame_source_of_parts("the fitted model", &rest, NULL, &outcome.result.rig,
                                     &outcome.result.low_rank, task.options.threads, &source));
    status = shown_frames_read(scene, source, shape);
done:
    frame_source_close(source);
    fit_outcome_clear(&outcome);
    return status;
}

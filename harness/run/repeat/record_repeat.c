/* Skins or fits as a record says. */
#include "harness/run/repeat/record_repeat.h"

#include "harness/measure/metrics/frame_source.h"
#include "harness/run/bench/fit_cell.h"

Status record_repeat(const Record *record, const Subject *subject, int threads, int step, int count,
                     const Progress *progress, float *positions, double *e_rms)
{
    *e_rms = NAN;
    if (record->cell.kind == CELL_SKINNING) {
        /* skin the frames */
        const Mesh *mesh = &subject->dataset->mesh;
        const Rig *rig = &subject->dataset->rig;
        SkinnerOptions options = {.backend = &backend_simd,
                                  .threads = threads,
                                  .two_phase = record->cell.two_phase,
                                  .first_phase = skinning_first_phase()};
        OWNED_BY(skinner_free) Skinner *skinner = NULL;
        STATUS_TRY(skinning_entry_named(record->cell.method, &options.entry));
        const SkinningMethod *method = options.entry->method;
        STATUS_TRY(
            argument_values(record->cell.parameters, method->parameters, method->name, &options.parameters));
        STATUS_TRY(skinner_create(&options, mesh, rig, &skinner));
        for (int f = 0; f < count; f++) {
            const size_t pose = (size_t)(f * step) * (size_t)rig->joint_count;
            STATUS_TRY(
                skinner_pose(skinner, rig->transforms + pose, rig->scale ? rig->scale + pose : NULL, 1));
            STATUS_TRY(skinner_skin(skinner));
            STATUS_TRY(
                skinner_read(skinner, 0, positions + 3 * (size_t)f * (size_t)mesh->vertex_count, NULL));
        }
        return status_ok();
    }
    Mesh rest = subject->dataset->mesh;
    ParameterValues values;
    FitTask task;
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    OWNED_BY(frame_source_close) FrameSource *source = NULL;
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
    return frame_source_read_every(source, step, count, positions);
}

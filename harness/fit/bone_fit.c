/* Runs a decomposition method and measures its model as a data set holds it. */
#include "harness/fit/bone_fit.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "harness/metrics/frame_source.h"
#include "methods/fitting/holdout.h"
#include <math.h>

/* Measures the model as a data set holds it, in float, against the animation. */
static Status outcome_measure(const FitTask *task, FitOutcome *out)
{
    Mesh rest = *task->mesh;
    FrameSource *target = NULL, *candidate = NULL;
    Status status;
    if (out->result.rest)
        rest.rest = out->result.rest;
    STATUS_TRY(frame_source_of_parts(task->name, task->mesh, task->animation, NULL, NULL,
                                     task->options.threads, &target));
    STATUS_TRY(frame_source_of_parts("the fitted model", &rest, NULL, &out->result.rig, &out->result.low_rank,
                                     task->options.threads, &candidate));
    STATUS_TRY(frame_sources_measure_apart(target, candidate, task->holdout, &out->metrics, &out->held));
done:
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}

Status bone_fit_run(const FitTask *task, FitOutcome *out)
{
    DecompositionInput input = {task->mesh, task->animation, 0.0};
    Status status;
    STATUS_TRY(metrics_unit_radius(task->animation, task->mesh->vertex_count, &input.unit_radius));
    out->unit_radius = input.unit_radius;
    double start = clock_now_s();
    status = decomposition_fit_holdout(task->method, &input, &task->options, task->holdout, &out->result);
    out->is_wrong = status.code == STATUS_CHECK_FAILED;
    if (status.code != STATUS_OK)
        goto done;
    out->total_s = clock_now_s() - start - out->result.holdout_s;
    if (out->result.end == FIT_STOPPED) {
        status = status_make(STATUS_STOPPED, "stopped after %d sweeps while fitting %s to %s",
                             out->result.iteration_count, task->method->name, task->name);
        goto done;
    }
    status = outcome_measure(task, out);
    if (status.code == STATUS_BAD_INPUT) { /* the input was checked before: what is wrong is the model */
        out->is_wrong = true;
        status.code = STATUS_CHECK_FAILED;
    }
done:
    return status;
}

void fit_outcome_clear(FitOutcome *outcome)
{
    decomposition_result_clear(&outcome->result);
    metrics_clear(&outcome->metrics);
    metrics_clear(&outcome->held);
    memory_free(outcome->trials);
    *outcome = (FitOutcome){0};
}

double fit_error_of(const FitTask *task, const FitOutcome *outcome, double squared_error)
{
    int frames = task->animation->frame_count;
    double entries = 3.0 * task->mesh->vertex_count * (frames - held_frame_count(frames, task->holdout));
    return 1000.0 * sqrt(squared_error / entries) / outcome->unit_radius;
}

/* Runs a fit, measures what it delivers frame by frame, and writes the outcome into a record. */
#include "harness/fit/fit_task.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "harness/fit/bone_search.h"
#include "harness/metrics/frame_source.h"
#include "harness/records/metrics_json.h"
#include "harness/records/results.h"
#include "methods/fitting/holdout.h"
#include "methods/fitting/model_size.h"
#include <math.h>

/* Measures the model as a data set holds it, in float, against the animation. */
static Status outcome_measure(const FitTask *task, FitOutcome *out)
{
    Mesh rest = *task->mesh;
    FrameSource *target = NULL, *candidate = NULL;
    Status status;
    if (out->result.rest)
        rest.rest = out->result.rest;
    STATUS_TRY(frame_source_of_parts(task->name, task->mesh, task->animation, NULL, NULL, &target));
    STATUS_TRY(frame_source_of_parts("the fitted model", &rest, NULL, &out->result.rig, &out->result.low_rank,
                                     &candidate));
    STATUS_TRY(frame_sources_measure_apart(target, candidate, task->holdout, &out->metrics, &out->held));
done:
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}

static Status bones_fit(const FitTask *task, FitOutcome *out)
{
    DecompositionInput input = {task->mesh, task->animation, 0.0};
    Status status;
    STATUS_TRY(metrics_unit_radius(task->animation, task->mesh->vertex_count, &input.unit_radius));
    out->unit_radius = input.unit_radius;
    double start = clock_now_s();
    STATUS_TRY(decomposition_fit_holdout(task->method, &input, &task->options, task->holdout, &out->result));
    out->total_s = clock_now_s() - start - out->result.holdout_s;
    if (out->result.end == FIT_STOPPED) {
        status = status_make(STATUS_STOPPED, "stopped after %d sweeps while fitting %s to %s",
                             out->result.iteration_count, task->method->name, task->name);
        goto done;
    }
    STATUS_TRY(outcome_measure(task, out));
done:
    return status;
}

Status fit_task_run(const FitTask *task, FitOutcome *out)
{
    *out = (FitOutcome){0};
    if (task->animation->frame_count < 1)
        return status_make(STATUS_BAD_INPUT, "%s has no animation/positions to fit", task->name);
    Status status = task->error > 0.0 ? bone_search_run(task, bones_fit, out) : bones_fit(task, out);
    if (status.code == STATUS_OK)
        out->size_bytes = decomposition_size(&out->result, task->mesh->vertex_count);
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

static json_t *descent_json(const FitTask *task, const FitOutcome *outcome)
{
    const DecompositionResult *result = &outcome->result;
    json_t *array = json_array();
    for (int i = 0; i <= result->iteration_count; i++)
        json_array_append_new(
            array, json_pack("{s:i, s:o, s:o}", "iteration", i, "e_rms",
                             json_number_or_null(fit_error_of(task, outcome, result->squared_error[i])),
                             "elapsed_s", json_number_or_null(result->elapsed_s[i])));
    return array;
}

static json_t *trials_json(const FitOutcome *outcome)
{
    json_t *array = json_array();
    for (int i = 0; i < outcome->trial_count; i++) {
        const BoneTrial *trial = &outcome->trials[i];
        json_array_append_new(array, json_pack("{s:i, s:i, s:o, s:f}", "bones", trial->bones,
                                               "bones_delivered", trial->bones_delivered, "e_rms",
                                               json_number_or_null(trial->e_rms), "total_s", trial->total_s));
    }
    return array;
}

Status fit_trials_tell(const FitOutcome *outcome, json_t *object)
{
    if (outcome->trial_count > 0 && json_object_set_new(object, "search", trials_json(outcome)) != 0)
        return status_out_of_memory("the search");
    return status_ok();
}

Status fit_outcome_tell(const FitTask *task, const FitOutcome *outcome, bool with_curves, json_t *object)
{
    const DecompositionResult *result = &outcome->result;
    json_t *metrics = metrics_to_json(&outcome->metrics, with_curves);
    int failures = metrics ? 0 : 1;
    if (metrics && outcome->held.frame_count > 0)
        failures +=
            json_object_set_new(metrics, "holdout", metrics_to_json(&outcome->held, with_curves)) != 0;
    failures += json_object_set_new(object, "end", json_string(fit_end_name(result->end))) != 0;
    failures += json_object_set_new(object, "metrics", metrics) != 0;
    failures += json_object_set_new(object, "bones_requested", json_integer(result->bones_requested)) != 0;
    failures += json_object_set_new(object, "bones_delivered", json_integer(result->bones_delivered)) != 0;
    failures +=
        json_object_set_new(object, "reduced_dimension", json_integer(result->reduced_dimension)) != 0;
    failures += json_object_set_new(object, "singular_systems", json_integer(result->singular_systems)) != 0;
    failures += json_object_set_new(object, "size_bytes", json_integer((json_int_t)outcome->size_bytes)) != 0;
    failures += json_object_set_new(object, "iterations", descent_json(task, outcome)) != 0;
    return failures > 0 ? status_out_of_memory("a result") : fit_trials_tell(outcome, object);
}

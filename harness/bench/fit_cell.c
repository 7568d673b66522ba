/* Plans, runs and records one fit as a cell. */
#include "harness/bench/fit_cell.h"

#include "datasets/base/memory.h"
#include "harness/bench/cell_json.h"
#include "harness/fit/fit_task.h"
#include "methods/registry.h"

enum { REPEATS_MAX = 100 };

static Status cell_settle(const FitCell *cell, const DecompositionMethod **method, ParameterValues *values)
{
    *method = decomposition_method_find(cell->method);
    if (!*method)
        return status_make(STATUS_USAGE, "no decomposition method '%s'; `skinbench list methods` lists them",
                           cell->method);
    *values = parameters_default((*method)->parameters, (*method)->parameter_count);
    for (int i = 0; i < cell->setting_count; i++) {
        Status status = parameters_set((*method)->parameters, (*method)->parameter_count, cell->method,
                                       cell->settings[i], values);
        if (status.code != STATUS_OK)
            return status;
    }
    return status_ok();
}

Status fit_cell_plan(const FitCell *cell, const Subject *subject, json_t **record)
{
    const DecompositionMethod *method = NULL;
    ParameterValues values;
    *record = NULL;
    Status status = cell_settle(cell, &method, &values);
    if (status.code != STATUS_OK)
        return status;
    json_t *parameters = parameters_json(method->parameters, method->parameter_count, &values);
    if (parameters) {
        json_object_set_new(parameters, "bones", json_integer(cell->bones));
        json_object_set_new(parameters, "influences", json_integer(cell->influences));
        json_object_set_new(parameters, "iterations", json_integer(cell->iterations));
        json_object_set_new(parameters, "time_limit_s", json_real(cell->time_limit_s));
        if (cell->holdout > 0)
            json_object_set_new(parameters, "holdout", json_integer(cell->holdout));
        if (cell->error > 0.0)
            json_object_set_new(parameters, "error", json_real(cell->error));
    }
    *record = json_pack("{s:i, s:s, s:o?, s:s, s:s, s:o?, s:i}", "schema", 1, "kind", "decomposition",
                        "dataset", subject_to_json(subject), "method", cell->method, "backend", "host",
                        "parameters", parameters, "threads", cell->threads);
    return *record ? status_ok() : status_out_of_memory("a result");
}

/* Stages of a fit that are timed; `total` is the harness' own clock, the others are told by the method. */
enum { TIME_TOTAL, TIME_REDUCTION, TIME_INITIALIZATION, TIME_SWEEPS, TIME_STEP, TIME_COUNT };

static const char *const time_names[TIME_COUNT] = {[TIME_TOTAL] = "total",
                                                   [TIME_REDUCTION] = "reduction",
                                                   [TIME_INITIALIZATION] = "initialization",
                                                   [TIME_SWEEPS] = "sweeps",
                                                   [TIME_STEP] = "step"};

static void times_take(const FitOutcome *outcome, double times[TIME_COUNT][REPEATS_MAX], int repeat)
{
    const DecompositionResult *result = &outcome->result;
    times[TIME_TOTAL][repeat] = outcome->total_s;
    times[TIME_REDUCTION][repeat] = result->reduction_s;
    times[TIME_INITIALIZATION][repeat] = result->initialization_s;
    times[TIME_SWEEPS][repeat] = result->sweeps_s;
    times[TIME_STEP][repeat] = result->iteration_count > 0 ? result->sweeps_s / result->iteration_count : 0.0;
}

static void times_record(double times[TIME_COUNT][REPEATS_MAX], int count, json_t *record)
{
    double scratch[2 * REPEATS_MAX];
    json_t *timing = json_object();
    for (int i = 0; i < TIME_COUNT; i++)
        json_object_set_new(timing, time_names[i], samples_json(times[i], count, 1, scratch));
    json_object_set_new(record, "timing", timing);
}

static void outcome_record(const FitTask *task, const FitOutcome *outcome, json_t *record)
{
    Status status = fit_outcome_tell(task, outcome, true, record);
    if (status.code != STATUS_OK) {
        record_set_failure(record, "failed", status.text);
        return;
    }
    json_object_set_new(record, "status", json_string("ok"));
    json_object_set_new(record, "reason", json_string(""));
}

/* Runs the task `repeats` times; the last outcome is told. */
static Status cell_fit(const FitTask *task, int repeats, json_t *record)
{
    double times[TIME_COUNT][REPEATS_MAX];
    Status status = status_ok();
    repeats = repeats < 1 ? 1 : repeats > REPEATS_MAX ? REPEATS_MAX : repeats;
    for (int i = 0; i < repeats && status.code == STATUS_OK; i++) {
        FitOutcome outcome = {0};
        status = fit_task_run(task, &outcome);
        times_take(&outcome, times, i);
        if (status.code == STATUS_OK && i + 1 == repeats)
            outcome_record(task, &outcome, record);
        if (status.code == STATUS_CHECK_FAILED)
            fit_trials_tell(&outcome, record);
        fit_outcome_clear(&outcome);
    }
    if (status.code == STATUS_OK)
        times_record(times, repeats, record);
    return status;
}

Status fit_cell_run(const FitCell *cell, const Subject *subject, const Progress *progress, json_t *record)
{
    const DecompositionMethod *method = NULL;
    ParameterValues values;
    Status status = cell_settle(cell, &method, &values);
    if (status.code != STATUS_OK)
        return status;
    FitTask task = {.name = subject->name,
                    .mesh = &subject->dataset->mesh,
                    .animation = &subject->dataset->animation,
                    .method = method,
                    .holdout = cell->holdout,
                    .error = cell->error,
                    .options = {.bones = cell->bones,
                                .influences = cell->influences,
                                .iterations = cell->iterations,
                                .time_limit_s = cell->time_limit_s,
                                .threads = cell->threads,
                                .seed = 1,
                                .parameters = values.values,
                                .progress = progress,
                                .methods = decomposition_registry}};
    status = cell_fit(&task, cell->repeats, record);
    if (status.code == STATUS_STOPPED)
        return status;
    if (status.code != STATUS_OK)
        record_set_failure(record, "failed", status.text);
    return status_ok();
}

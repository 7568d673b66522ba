#include "harness/bench/fit_cell.h"

#include "datasets/base/memory.h"
#include "harness/bench/cell_json.h"
#include "harness/metrics/frame_source.h"
#include "harness/metrics/metrics_json.h"
#include "harness/results/results.h"
#include "harness/timing/clock.h"
#include "harness/timing/statistics.h"
#include <math.h>
#include <string.h>

enum { REPEATS_MAX = 100 };

static Status cell_settle(const FitCell *cell, const DecompositionMethod **method, ParameterValues *values)
{
    *method = decomposition_method_find(cell->method);
    if (!*method)
        return status_make(STATUS_USAGE, "no decomposition method '%s'; `skinbench list methods` lists them",
                           cell->method);
    *values = parameters_standard((*method)->parameters, (*method)->parameter_count);
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
    }
    *record = json_pack("{s:i, s:s, s:o?, s:s, s:s, s:o?, s:i}", "schema", 1, "kind", "decomposition",
                        "dataset", subject_to_json(subject), "method", cell->method, "backend", "host",
                        "parameters", parameters, "threads", cell->threads);
    return *record ? status_ok() : status_out_of_memory("a result");
}

/* ||A - B||_F^2 in units of the input to E_RMS. */
static double error_of(double squared, const Subject *subject, double radius)
{
    double elements = 3.0 * subject->dataset->mesh.vertex_count * subject->dataset->animation.frame_count;
    return 1000.0 * sqrt(squared / elements) / radius;
}

static json_t *descent_to_json(const DecompositionResult *result, const Subject *subject, double radius)
{
    json_t *array = json_array();
    for (int i = 0; result->squared_error && i <= result->iteration_count; i++)
        json_array_append_new(
            array,
            json_pack("{s:i, s:o, s:o}", "iteration", i, "e_rms",
                      json_number_or_null(error_of(result->squared_error[i], subject, radius)), "elapsed_s",
                      json_number_or_null(result->elapsed_s ? result->elapsed_s[i] : NAN)));
    return array;
}

/* Measures the model of a fit against the animation it was fitted to. */
static Status result_measure(const DecompositionResult *result, const Subject *subject, Metrics *metrics)
{
    const Dataset *dataset = subject->dataset;
    Mesh rest = dataset->mesh;
    FrameSource *target = NULL, *candidate = NULL;
    Status status;
    if (result->rest)
        rest.rest = result->rest;
    STATUS_TRY(
        frame_source_of_parts(subject->name, &dataset->mesh, &dataset->animation, NULL, NULL, &target));
    STATUS_TRY(
        frame_source_of_parts("the fitted model", &rest, NULL, &result->rig, &result->low_rank, &candidate));
    STATUS_TRY(frame_sources_measure(target, candidate, metrics));
done:
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}

static Status result_record(const DecompositionResult *result, const Subject *subject, double radius,
                            json_t *record)
{
    Metrics metrics = {0};
    Status status = result_measure(result, subject, &metrics);
    if (status.code == STATUS_OK) {
        json_object_set_new(record, "status", json_string("ok"));
        json_object_set_new(record, "reason", json_string(""));
        json_object_set_new(record, "end", json_string(fit_end_name(result->end)));
        json_object_set_new(record, "metrics", metrics_to_json(&metrics, true));
        json_object_set_new(record, "bones_requested", json_integer(result->bones_requested));
        json_object_set_new(record, "bones_delivered", json_integer(result->bones_delivered));
        json_object_set_new(record, "reduced_dimension", json_integer(result->reduced_dimension));
        json_object_set_new(record, "singular_systems", json_integer(result->singular_systems));
        json_object_set_new(record, "iterations", descent_to_json(result, subject, radius));
    }
    metrics_clear(&metrics);
    return status;
}

static void times_record(const double *totals, const double *initializations, const double *steps, int count,
                         json_t *record)
{
    double scratch[2 * REPEATS_MAX];
    json_t *timing = json_object();
    json_object_set_new(timing, "total", samples_json(totals, count, 1, scratch));
    json_object_set_new(timing, "initialization", samples_json(initializations, count, 1, scratch));
    json_object_set_new(timing, "step", samples_json(steps, count, 1, scratch));
    json_object_set_new(record, "timing", timing);
}

/* Fits `repeats` times; the last result is measured. */
static Status cell_fit(const FitCell *cell, const DecompositionMethod *method,
                       const DecompositionOptions *options, const Subject *subject, json_t *record)
{
    double totals[REPEATS_MAX], initializations[REPEATS_MAX], steps[REPEATS_MAX];
    const Dataset *dataset = subject->dataset;
    DecompositionInput input = {&dataset->mesh, &dataset->animation, 0.0};
    int repeats = cell->repeats < 1 ? 1 : cell->repeats > REPEATS_MAX ? REPEATS_MAX : cell->repeats;
    Status status = metrics_unit_radius(&dataset->animation, dataset->mesh.vertex_count, &input.unit_radius);
    for (int i = 0; i < repeats && status.code == STATUS_OK; i++) {
        DecompositionResult result = {0};
        double start = clock_now_s();
        status = decomposition_fit(method, &input, options, &result);
        totals[i] = clock_now_s() - start;
        initializations[i] = result.initialization_s;
        steps[i] = result.iteration_count > 0 ? result.sweeps_s / result.iteration_count : 0.0;
        if (status.code == STATUS_OK && result.end == FIT_STOPPED)
            status =
                status_make(STATUS_STOPPED, "stopped while fitting %s to %s", method->name, subject->name);
        if (status.code == STATUS_OK && i + 1 == repeats)
            status = result_record(&result, subject, input.unit_radius, record);
        decomposition_result_clear(&result);
    }
    if (status.code == STATUS_OK)
        times_record(totals, initializations, steps, repeats, record);
    return status;
}

Status fit_cell_run(const FitCell *cell, const Subject *subject, const Progress *progress, json_t *record)
{
    const DecompositionMethod *method = NULL;
    ParameterValues values;
    Status status = cell_settle(cell, &method, &values);
    if (status.code != STATUS_OK)
        return status;
    DecompositionOptions options = {.bones = cell->bones,
                                    .influences = cell->influences,
                                    .iterations = cell->iterations,
                                    .time_limit_s = cell->time_limit_s,
                                    .threads = cell->threads,
                                    .seed = 1,
                                    .parameters = values.values,
                                    .progress = progress};
    if (subject->dataset->animation.frame_count < 1)
        status = status_make(STATUS_BAD_INPUT, "%s has no animation/positions to fit", subject->name);
    else
        status = cell_fit(cell, method, &options, subject, record);
    if (status.code == STATUS_STOPPED)
        return status;
    if (status.code != STATUS_OK)
        record_set_failure(record, "failed", status.text);
    return status_ok();
}

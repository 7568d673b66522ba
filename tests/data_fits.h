/* Fits models to the real animations and measures them in the same way as the benchmark. */
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/io/store.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/measure/metrics/metrics_stream.h"
#include "methods/registry.h"
#include "tests/support.h"

/* Imports one of the real animations. Returns STATUS_UNAVAILABLE if SKINBENCH_TEST_DATA does not contain
 * it. */
static inline Status animation_import(const char *archive, Dataset **dataset)
{
    const char *input = test_data(archive);
    if (!input)
        return status_make(STATUS_UNAVAILABLE, "no %s", archive);
    const char *file = path_of("animation.h5");
    const ImportOptions options = {.inputs = &input, .input_count = 1, .scale = 1.0, .fps = 30.0};
    Status status = obj_sequence_import(&options, file);
    if (status.code == STATUS_OK)
        status = dataset_read(file, NULL, dataset);
    return status;
}

/* Fits with `sweeps` iterations and measures the model in the same way as the benchmark. `settings` is NULL
 * or ends with NULL. `initial`, unless NULL, receives the E_RMS that the method reports for its first model
 * (for EigenSkin: for the rig that it corrects). Release *out with metrics_clear. */
static inline void fit_metrics(const Dataset *dataset, const char *name, int bones,
                               const char *const *settings, int sweeps, int threads, double *initial,
                               Metrics *out)
{
    const DecompositionMethod *method = decomposition_method_find(name);
    if (!method) {
        fail_msg("no method '%s'", name);
        return;
    }
    ParameterValues values = parameters_default(method->parameters);
    for (; settings && *settings; settings++)
        assert_ok(parameters_set(method->parameters, name, *settings, &values));
    DecompositionInput input = {&dataset->mesh, &dataset->animation, 0.0, NULL};
    assert_ok(metrics_unit_radius(&dataset->animation, dataset->mesh.vertex_count, &input.unit_radius));
    DecompositionOptions options = {.bones = bones,
                                    .influences = 4,
                                    .iterations = sweeps,
                                    .threads = threads,
                                    .parameters = values.values,
                                    .methods = decomposition_registry};
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    assert_ok(decomposition_fit(method, &input, &options, &result));
    /* A low-rank model needs no more basis vectors than the rank of the animation. */
    assert_true(result.bones_delivered == bones || (!method->makes_rig && result.bones_delivered < bones));
    Mesh mesh = dataset->mesh;
    if (result.rest)
        mesh.rest = result.rest;
    FrameSource *target = NULL, *candidate = NULL;
    Metrics metrics = {0};
    assert_ok(frame_source_of_parts("target", &dataset->mesh, &dataset->animation, NULL, NULL, 2, &target));
    assert_ok(frame_source_of_parts("model", &mesh, NULL, &result.rig, &result.low_rank, 2, &candidate));
    assert_ok(frame_sources_measure(target, candidate, &metrics));
    double measured = metric_named("e_rms", &metrics),
           entries = 3.0 * metrics.frame_count * metrics.vertex_count;
    double reported =
        1000.0 * sqrt(result.squared_error[result.iteration_count] / entries) / input.unit_radius;
    if (initial)
        *initial = 1000.0 * sqrt(result.squared_error[0] / entries) / input.unit_radius;
    assert_true(fabs(reported - measured) <
                1e-4 * measured + 1e-4); /* rounding frames to float changes the error by up to 1e-4 */
    *out = metrics;
    frame_source_close(target);
    frame_source_close(candidate);
}

/* Returns the E_RMS after 15 iterations. */
static inline double fit_measure_from(const Dataset *dataset, const char *name, int bones,
                                      const char *setting, int threads, double *initial)
{
    CLEANUP(metrics_clear) Metrics metrics = {0};
    fit_metrics(dataset, name, bones, (const char *const[]){setting, NULL}, 15, threads, initial, &metrics);
    double measured = metric_named("e_rms", &metrics);
    return measured;
}

static inline double fit_measure(const Dataset *dataset, const char *name, int bones, const char *setting,
                                 int threads)
{
    return fit_measure_from(dataset, name, bones, setting, threads, NULL);
}

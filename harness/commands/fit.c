/* skinbench fit FILE --method M --bones P -o OUT: a rig, or a low-rank model, from an animated mesh. */
#include "harness/commands/commands.h"

#include "datasets/base/memory.h"
#include "datasets/io/store.h"
#include "harness/bench/cell_json.h"
#include "harness/commands/output.h"
#include "harness/metrics/frame_source.h"
#include "harness/metrics/metrics.h"
#include "harness/metrics/metrics_json.h"
#include "methods/decomposition.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const CommandOption options[] = {
    {"method", "NAME", "the decomposition method (`skinbench list methods`)"},
    {"bones", "P", "bones to find; low-rank methods spend 4 dimensions per bone"},
    {"influences", "K", "bones per vertex at most, 1 to 8 (default 4)"},
    {"iterations", "I", "sweeps at most (default 15)"},
    {"time-limit", "SECONDS", "stop sweeping after this time; what was found by then is written"},
    {"seed", "N", "of every random choice (default 1)"},
    {"output", "FILE", "the data set file to write; an interrupt (exit code 130) leaves none"},
    {NULL, NULL, NULL},
};

/* What was asked for, and what came of it. */
typedef struct FitRun {
    const char *input, *output;
    const DecompositionMethod *method;
    ParameterValues parameters;
    DecompositionOptions options;
    Dataset *source;
    double unit_radius;
    DecompositionResult result;
    Metrics metrics;
    double total_s;
} FitRun;

static Status options_read(const CommandLine *line, FitRun *run)
{
    const char *name = NULL;
    double seed = 1.0;
    DecompositionOptions *fit = &run->options;
    Status status;
    run->input = command_line_argument(line, 0);
    STATUS_TRY(command_line_required(line, "method", &name));
    STATUS_TRY(command_line_required(line, "output", &run->output));
    STATUS_TRY(command_line_required(line, "bones", &(const char *){NULL}));
    run->method = decomposition_method_find(name);
    if (!run->method)
        return status_make(STATUS_USAGE, "no decomposition method '%s'; `skinbench list methods` lists them",
                           name);
    STATUS_TRY(command_line_parameters(line, run->method->parameters, run->method->parameter_count, name,
                                       &run->parameters));
    STATUS_TRY(command_line_integer(line, "bones", 0, 1, 100000, &fit->bones));
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, 8, &fit->influences));
    STATUS_TRY(command_line_integer(line, "iterations", 15, 0, 1000000, &fit->iterations));
    STATUS_TRY(command_line_real(line, "time-limit", 0.0, 0.0, 1e9, &fit->time_limit_s));
    STATUS_TRY(command_line_real(line, "seed", 1.0, 0.0, 9007199254740992.0, &seed));
    fit->seed = (uint64_t)seed;
    fit->threads = command_line_threads(line);
    fit->parameters = run->parameters.values;
    fit->progress = command_line_progress(line);
done:
    return status;
}

static Status source_fit(FitRun *run)
{
    const Animation *animation = &run->source->animation;
    Status status;
    if (animation->frame_count < 1)
        return status_make(STATUS_BAD_INPUT, "%s has no animation/positions to fit", run->input);
    STATUS_TRY(metrics_unit_radius(animation, run->source->mesh.vertex_count, &run->unit_radius));
    DecompositionInput input = {&run->source->mesh, animation, run->unit_radius};
    STATUS_TRY(decomposition_fit(run->method, &input, &run->options, &run->result));
    int last = run->result.iteration_count;
    run->total_s = run->result.elapsed_s[last];
    if (run->result.end == FIT_STOPPED)
        status = status_make(STATUS_STOPPED, "stopped after %d sweeps; nothing is written", last);
done:
    return status;
}

/* The data set that tells of the result: what is in it moves there from the result. */
static Status model_make(FitRun *run, Dataset **model)
{
    const Dataset *source = run->source;
    const Mesh *mesh = &source->mesh;
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    Status status;
    STATUS_TRY(dataset_create(source->name, source->title, source->source, source->license, model));
    (*model)->fps = source->fps;
    STATUS_TRY(mesh_allocate(&(*model)->mesh, mesh->vertex_count, mesh->triangle_count));
    memcpy((*model)->mesh.rest, run->result.rest ? run->result.rest : mesh->rest,
           3 * vertices * sizeof(float));
    if (triangles > 0)
        memcpy((*model)->mesh.triangles, mesh->triangles, 3 * triangles * sizeof(int32_t));
    (*model)->rig = run->result.rig;
    (*model)->low_rank = run->result.low_rank;
    run->result.rig = (Rig){0};
    run->result.low_rank = (LowRank){0};
done:
    return status;
}

/* Measures the model as it is written, in float, against the animation. */
static Status model_measure(FitRun *run, const Dataset *model)
{
    FrameSource *target = NULL, *candidate = NULL;
    Status status;
    STATUS_TRY(
        frame_source_of_parts(run->input, &run->source->mesh, &run->source->animation, NULL, NULL, &target));
    STATUS_TRY(
        frame_source_of_parts(run->output, &model->mesh, NULL, &model->rig, &model->low_rank, &candidate));
    STATUS_TRY(frame_sources_measure(target, candidate, &run->metrics));
done:
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}

/* E_RMS from a method's own account of its squared error. */
static double error_of(const FitRun *run, double squared_error)
{
    double entries = 3.0 * run->source->mesh.vertex_count * run->source->animation.frame_count;
    return 1000.0 * sqrt(squared_error / entries) / run->unit_radius;
}

static json_t *iterations_tell(const FitRun *run)
{
    json_t *array = json_array();
    const DecompositionResult *result = &run->result;
    for (int i = 0; i <= result->iteration_count; i++) {
        double error = error_of(run, result->squared_error[i]);
        json_array_append_new(array, json_pack("{s:i, s:o, s:f}", "iteration", i, "e_rms",
                                               isfinite(error) ? json_real(error) : json_null(), "elapsed_s",
                                               result->elapsed_s[i]));
    }
    return array;
}

static Status run_tell_json(const FitRun *run)
{
    const DecompositionResult *result = &run->result;
    return output_json(json_pack(
        "{s:s, s:s, s:s, s:o?, s:i, s:i, s:i, s:i, s:s, s:o?, s:i, s:i, s:o?, s:{s:f, s:f, s:f}}", "input",
        run->input, "output", run->output, "method", run->method->name, "parameters",
        parameters_json(run->method->parameters, run->method->parameter_count, &run->parameters),
        "influences", run->options.influences, "threads", run->options.threads, "bones_requested",
        result->bones_requested, "bones_delivered", result->bones_delivered, "end", fit_end_name(result->end),
        "metrics", metrics_to_json(&run->metrics, false), "reduced_dimension", result->reduced_dimension,
        "singular_systems", result->singular_systems, "iterations", iterations_tell(run), "timing",
        "initialization_s", result->initialization_s, "sweeps_s", result->sweeps_s, "total_s", run->total_s));
}

static void run_tell_text(const FitRun *run)
{
    const DecompositionResult *result = &run->result;
    printf("%s: %d of %d bones, %d sweeps, end: %s\n", run->method->title, result->bones_delivered,
           result->bones_requested, result->iteration_count, fit_end_name(result->end));
    printf("  E_RMS             %.6g (%.6g before the first sweep)\n", run->metrics.e_rms,
           error_of(run, result->squared_error[0]));
    if (!isnan(run->metrics.kg_percent))
        printf("  KG error          %.6g %%\n", run->metrics.kg_percent);
    printf("  reduced dimension %d\n", result->reduced_dimension);
    printf("  time              %.3f s (%.3f s to the first model, %.3f s sweeps)\n", run->total_s,
           result->initialization_s, result->sweeps_s);
    printf("  written to        %s\n", run->output);
}

static Status fit_run(const CommandLine *line)
{
    FitRun run = {0};
    Dataset *model = NULL;
    Status status;
    STATUS_TRY(options_read(line, &run));
    STATUS_TRY(dataset_read(run.input, &run.source));
    STATUS_TRY(source_fit(&run));
    STATUS_TRY(model_make(&run, &model));
    STATUS_TRY(model_measure(&run, model));
    STATUS_TRY(dataset_write(model, run.output));
    if (command_line_json(line))
        status = run_tell_json(&run);
    else
        run_tell_text(&run);
done:
    dataset_free(run.source);
    dataset_free(model);
    decomposition_result_clear(&run.result);
    metrics_clear(&run.metrics);
    return status;
}

const Command command_fit = {
    .name = "fit",
    .synopsis = "FILE --method M --bones P [--influences K] [--iterations I] [--time-limit SECONDS] -o OUT",
    .summary = "find the rig (or low-rank model) that reproduces an animated mesh best",
    .options = options,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = fit_run,
};

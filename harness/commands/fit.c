/* skinbench fit FILE --method M --bones P -o OUT: makes a rig or a low-rank model from an animated mesh. */
#include "harness/commands/commands.h"

#include "datasets/geometry/points.h"
#include "harness/commands/interrupts.h"
#include "harness/records/files/record_json.h"
#include "harness/run/bench/fit_cell.h"
#include "harness/run/fit/external_fit.h"
#include "harness/run/fit/fit_diagnosis.h"
#include "harness/run/fit/fit_input.h"

const CommandOption fit_options[] = {
    {"method", "DECOMPOSITION",
     "the decomposition method (`skinbench list methods`); helper-joints adds --bones joints to a rig, so "
     "that lbs imitates the method --set target=dqs, cor, direct-delta-mush, delta-mush or bulging-free-dqs"},
    {"external", "NAME|PROGRAM.json",
     "fit with another program instead of a method: a file that describes it, or the name of such a file in "
     "the user's folder (packaging/external/README.md)"},
    {"bones", "P", "number of bones to find; low-rank methods use 4 dimensions per bone"},
    {"error", "E",
     "find the smallest number of bones that reaches this E_RMS, at most --bones (default 128)"},
    {"holdout", "K",
     "hold every K-th frame out of the fit of weights and rest pose, and measure those frames separately"},
    {"influences", "K|all",
     "maximum number of bones per vertex, 1 to 32, or all for up to 32 bones (default 4)"},
    {"iterations", "I",
     "maximum number of sweeps (default 15, for ssdr 240, or unlimited with --time-limit); with --error, the "
     "limit of each "
     "fit"},
    {"time-limit", "SECONDS",
     "stop after this many seconds of sweeps and write the best model so far, at least the first model"},
    {"seed", "N", "random seed (default 1)"},
    {"memory", "SIZE",
     "use no more memory than this, such as 4G, by reading vertices in blocks (coordinate-descent and svd "
     "only)"},
    {"keep-on-interrupt", NULL,
     "after an interrupt, write the best model so far; after a second interrupt, write nothing"},
    {"for-engine", NULL,
     "find rigid bones without shear, which engines accept (--set transforms=rigid), with parents if the "
     "method finds them (skeleton=yes)"},
    {"output", "FILE", "the data set file to write; an interrupt (exit code 130) leaves no file"},
    {NULL, NULL, NULL},
};

/* A fit: its options, data and outcome. */
typedef struct FitRun {
    const char *input, *output;
    External *external; /* the program that makes the fit (--external); NULL: a method does */
    bool wants_parents; /* whether bones get parents if that increases the error little */
    ParameterValues parameters;
    FitTask task;
    size_t memory; /* memory limit of the fit in bytes; 0: no limit */
    FitInput data;
    FitSample sample;
    char notes[FIT_NOTES_BYTES];         /* notes on the input, one per line */
    char diagnosis[FIT_DIAGNOSIS_BYTES]; /* reasons why the fit is poor */
    FitOutcome outcome;
} FitRun;

/* Reads --influences, a number or "all" for all bones. */
static Status influences_read(const CommandLine *line, DecompositionOptions *fit)
{
    const char *value = command_line_value(line, "influences");
    if (!value || strcmp(value, "all") != 0)
        return command_line_integer(line, "influences", FIT_INFLUENCES, 1, FIT_INFLUENCES_MAX,
                                    &fit->influences);
    if (fit->bones > FIT_INFLUENCES_MAX)
        return bad_usage("--influences all works with up to %d bones, not %d", FIT_INFLUENCES_MAX,
                         fit->bones);
    fit->influences = fit->bones;
    return status_ok();
}

static const char NORMALS_OFF[] = "normal_deviation_over_30_percent";
static const double PARENTS_COST = 1.5; /* largest factor by which parents may increase E_RMS */

static Status options_read(const CommandLine *line, FitRun *run)
{
    const char *name = NULL;
    double seed = 1.0;
    FitTask *task = &run->task;
    DecompositionOptions *fit = &task->options;
    run->input = task->name = command_line_argument(line, 0);
    const char *external = command_line_value(line, "external");
    if (!external)
        STATUS_TRY(command_line_required(line, "method", &name));
    else if (command_line_flag(line, "method"))
        return bad_usage("fit takes --method or --external, not both");
    STATUS_TRY(command_line_output(line, &run->output));
    if (external) {
        STATUS_TRY(external_read(external, &run->external));
        STATUS_TRY(external_method(run->external, &task->method));
        fit->context = run->external;
    } else {
        STATUS_TRY(decomposition_method_named(name, &task->method));
    }
    name = task->method->name;
    STATUS_TRY(command_line_parameters(line, task->method->parameters, name, &run->parameters));
    if (command_line_flag(line, "for-engine")) {
        const char *set = NULL;
        run->wants_parents = parameter_find(task->method->parameters, "skeleton") != NULL;
        for (int i = 0; (set = command_line_value_at(line, "set", i)) != NULL; i++) {
            run->wants_parents = run->wants_parents && strncmp(set, "skeleton=", 9) != 0;
            if (strncmp(set, "transforms=", 11) == 0 && strcmp(set, "transforms=rigid") != 0)
                return bad_usage("--for-engine finds rigid bones, but --set %s asks for others; leave one of "
                                 "them out",
                                 set);
        }
        STATUS_TRY(parameters_set(task->method->parameters, name, "transforms=rigid", &run->parameters));
    }
    STATUS_TRY(command_line_real(line, "error", 0.0, 1e-9, 1e9, &task->error));
    if (!command_line_flag(line, "error"))
        STATUS_TRY(command_line_required(line, "bones", &(const char *){NULL}));
    STATUS_TRY(command_line_integer(line, "bones", FIT_SEARCH_BONES, 1, FIT_BONES_MAX, &task->options.bones));
    STATUS_TRY(command_line_integer(line, "holdout", 0, 2, 1000000, &task->holdout));
    STATUS_TRY(influences_read(line, &task->options));
    STATUS_TRY(command_line_real(line, "time-limit", 0.0, 0.0, 1e9, &fit->time_limit_s));
    STATUS_TRY(command_line_integer(line, "iterations",
                                    fit_iterations_default(task->method, fit->time_limit_s), 0,
                                    FIT_ITERATIONS_MAX, &fit->iterations));
    STATUS_TRY(command_line_whole(line, "seed", 1.0, 0.0, 9007199254740992.0, &seed));
    fit->seed = (uint64_t)seed;
    fit->methods = decomposition_registry;
    fit->threads = line->threads;
    fit->parameters = run->parameters.values;
    fit->progress = &line->progress;
    task->ranks = &line->launch.ranks;
    return command_line_size(line, "memory", &run->memory);
}

static Status run_to_json(const FitRun *run, char **line)
{
    const FitTask *task = &run->task;
    const DecompositionResult *result = &run->outcome.result;
    OWNED_BY(argument_free) Argument *parameters = NULL;
    CLEANUP(record_clear) Record record = record_of(&(Cell){0});
    json_auto_t *object = NULL;
    STATUS_TRY(arguments_of(task->method->parameters, &run->parameters, &parameters));
    STATUS_TRY(fit_outcome_record(task, &run->outcome, false, &record));
    object = json_pack(
        "{s:o, s:o, s:s, s:o, s:i, s:i, s:{s:f, s:f, s:f, s:f}, s:o}", "input", json_text(run->input),
        "output", json_text(run->output), "method", task->method->name, "parameters", json_incref(parameters),
        "influences", task->options.influences, "threads", task->options.threads, "timing",
        "initialization_s", result->initialization_s, "sweeps_s", result->sweeps_s, "total_s",
        run->outcome.total_s, "holdout_s", result->holdout_s, "metrics", record_metrics_to_json(&record));
    STATUS_TRY(fit_facts_write(object, &record.fit));
    if (run->external)
        json_set(object, "external", external_facts_to_json(&run->external->facts));
    if (run->notes[0])
        json_set(object, "notes", json_text(run->notes));
    if (run->diagnosis[0])
        json_set(object, "diagnosis", json_text(run->diagnosis));
    if (task->holdout > 0)
        json_set(object, "holdout", json_integer(task->holdout));
    if (task->error > 0.0)
        json_set(object, "error", json_real(task->error));
    if (result->passes > 0)
        json_set(object, "reading",
                 json_pack("{s:i, s:f, s:f, s:f}", "passes", result->passes, "reduction_s",
                           result->reduction_s, "read_s", result->read_s, "waited_s", result->waited_s));
    return output_json_line(json_incref(object), line);
}

static void trials_print(const FitOutcome *outcome)
{
    for (int i = 0; i < outcome->trial_count; i++)
        terminal_print("  %5d bones       E_RMS %.6g in %.3f s\n", outcome->trials[i].bones,
                       outcome->trials[i].e_rms, outcome->trials[i].total_s);
}

/* Prints the errors on a set of frames. `part` names the set in the output, such as "held out"; "" means
 * that no frames were held out. `before` is the error before the first sweep and is not printed if it is
 * NAN. */
static void errors_print(const Metrics *metrics, const char *part, double before)
{
    terminal_print("  E_RMS%-12s %.6g", part, metric_named("e_rms", metrics));
    if (!isnan(before))
        terminal_print(" (%.6g before the first sweep)", before);
    if (isnan(metric_named("kg_percent", metrics)))
        putchar('\n');
    else
        terminal_print("\n  KG error%-9s %.6g %%\n", part, metric_named("kg_percent", metrics));
}

/* Fits again with one more setting, and returns E_RMS and the share of normals that are off. Keeps the new
 * fit if its E_RMS is at most `most` times that of the first. */
static Status fit_again(FitRun *run, const char *setting, double most, double *e_rms, double *normals)
{
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {0};
    const DecompositionMethod *method = run->task.method;
    FitTask task = run->task;
    ParameterValues parameters = run->parameters;
    STATUS_TRY(parameters_set(method->parameters, method->name, setting, &parameters));
    task.options.parameters = parameters.values;
    STATUS_TRY(fit_task_run(&task, &outcome));
    *e_rms = metric_named("e_rms", &outcome.metrics);
    *normals = metric_named(NORMALS_OFF, &outcome.metrics);
    if (!(*e_rms <= most * metric_named("e_rms", &run->outcome.metrics)))
        return status_ok();
    const FitOutcome first = run->outcome;
    run->outcome = outcome;
    run->parameters = parameters;
    outcome = first;
    return status_ok();
}

static double edge_mean(const Mesh *mesh)
{
    double sum = 0.0;
    for (ptrdiff_t corner = 0; corner < 3 * (ptrdiff_t)mesh->triangle_count; corner++)
        sum += vec3_length(
            vec3_sub(point_at(mesh->rest, mesh->triangles[corner]),
                     point_at(mesh->rest, mesh->triangles[corner - corner % 3 + (corner + 1) % 3])));
    return sum / (3.0 * mesh->triangle_count);
}

/* Prints how much of the surface of the written file is shaded wrongly, and why if that is visible. Offers
 * smoother weights if they lower it. */
static Status normals_print(FitRun *run)
{
    const Metrics *metrics = &run->outcome.metrics;
    const double over = metric_named(NORMALS_OFF, metrics);
    double e_rms = NAN, smooth = NAN;
    if (isnan(over))
        return status_ok();
    terminal_print(
        "  normals           %.3g %% are off by more than 30 degrees, and %.3g degrees on average\n", over,
        metric_named("normal_deviation_mean_degrees", metrics));
    if (over >= 1.0)
        terminal_print("  why they are off  vertices are %.2g edge lengths from their places on average and "
                       "%.2g at most, which turns triangles; more bones or influences help\n",
                       metric_named("distance_mean_units", metrics) / edge_mean(run->task.mesh),
                       metric_named("distance_max_units", metrics) / edge_mean(run->task.mesh));
    if (over >= 1.0 && parameter_find(run->task.method->parameters, "smooth"))
        STATUS_TRY(fit_again(run, "smooth=1", 0.0, &e_rms, &smooth));
    if (smooth < over)
        terminal_print("  with smooth=1     %.3g %% are off by more than 30 degrees, and E_RMS is %.6g\n",
                       smooth, e_rms);
    return status_ok();
}

/* Prints all fits of a search, if none of them reached the requested error. */
static Status failure_print(const FitRun *run, bool json)
{
    CLEANUP(record_clear) Record record = record_of(&(Cell){0});
    json_auto_t *object = NULL;
    if (run->outcome.trial_count == 0)
        return status_ok();
    if (!json) {
        trials_print(&run->outcome);
        return status_ok();
    }
    STATUS_TRY(fit_trials_record(&run->outcome, &record));
    object = json_pack("{s:o, s:s, s:f, s:i}", "input", json_text(run->input), "method",
                       run->task.method->name, "error", run->task.error, "bones", run->task.options.bones);
    STATUS_TRY(fit_facts_write(object, &record.fit));
    return output_json(json_incref(object));
}

static void fit_run_clear(FitRun *run)
{
    fit_outcome_clear(&run->outcome);
    fit_sample_clear(&run->sample);
    fit_input_close(&run->data);
    memory_free(run->external);
}

/* Prints what the run of an external program took. */
static void external_print(const External *program)
{
    const ExternalFacts *facts = &program->facts;
    if (isnan(facts->startup_s))
        terminal_print("  start-up          not known, because the program failed on a tetrahedron\n");
    else
        terminal_print("  start-up          %.3f s, measured on a tetrahedron and part of the time\n",
                       facts->startup_s);
    terminal_print("  program           %.3f s of processor time, %.0f MB of memory at its peak\n",
                   facts->processor_s, 0x1p-20 * facts->peak_bytes);
    if (program->deterministic && !facts->deterministic)
        terminal_print(
            "  deterministic     no: two runs gave different models, although its description says "
            "that it is\n");
    if (facts->version[0])
        terminal_print("  version           %s\n", facts->version);
}

Status fit_run(const CommandLine *line)
{
    CLEANUP(fit_run_clear) FitRun run = {0};
    OWNED_BY(dataset_free) Dataset *model = NULL;
    OWNED_BY(free) char *json = NULL;
    const char *method = command_line_value(line, "method");
    if (method && strcmp(method, "helper-joints") == 0)
        return helper_joints_run(line);
    STATUS_TRY(options_read(line, &run));
    run.task.keep_stopped = command_line_flag(line, "keep-on-interrupt");
    if (run.task.keep_stopped)
        interrupts_allow_output();
    STATUS_TRY(
        fit_input_open(run.input, run.memory, run.external != NULL, &line->progress, &run.task, &run.data));
    STATUS_TRY(fit_sample_make(&run.task, &run.sample));
    STATUS_TRY(fit_sample_notes(&run.task, &run.sample, run.notes));
    for (const char *note = run.notes; *note;) {
        const int length = (int)strcspn(note, "\n");
        output_note(line, "%.*s", length, note);
        note += length + (note[length] == '\n');
    }
    const Status status = fit_task_run(&run.task, &run.outcome);
    if (status.code == STATUS_CHECK_FAILED)
        STATUS_TRY(failure_print(&run, line->json));
    STATUS_TRY(status);
    double with_parents = NAN, normals = NAN;
    if (run.wants_parents && run.task.error <= 0.0 && !run.outcome.is_stopped)
        STATUS_TRY(fit_again(&run, "skeleton=yes", PARENTS_COST, &with_parents, &normals));
    if (!ranks_is_first(run.task.ranks))
        return status_ok();
    if (!isnan(with_parents))
        output_note(line,
                    with_parents <= metric_named("e_rms", &run.outcome.metrics)
                        ? "bones have parents (skeleton=yes), with an E_RMS of %.6g"
                        : "bones have no parents: E_RMS would be %.6g with skeleton=yes",
                    with_parents);
    STATUS_TRY(fit_diagnose(&run.task, &run.sample, &run.outcome, run.diagnosis));
    STATUS_TRY(fit_outcome_model(run.data.header, &run.outcome, &model));
    if (line->json)
        STATUS_TRY(run_to_json(&run, &json));
    STATUS_TRY(dataset_write(model, run.output));
    if (json)
        puts(json);
    else {
        const FitOutcome *outcome = &run.outcome;
        const DecompositionResult *result = &outcome->result;
        terminal_print("%s: %d of %d bones", run.task.method->title, result->bones_delivered,
                       result->bones_requested);
        if (!run.external)
            terminal_print(", %d sweeps, end: %s", result->iteration_count, fit_end_name(result->end));
        terminal_print("\n");
        trials_print(outcome);
        errors_print(&outcome->metrics, outcome->held.frame_count > 0 ? ", fitted" : "",
                     run.external ? NAN : fit_error_of(&run.task, outcome, result->squared_error[0]));
        if (outcome->held.frame_count > 0)
            errors_print(&outcome->held, ", held out", NAN);
        if (command_line_flag(line, "for-engine"))
            STATUS_TRY(normals_print(&run));
        if (run.diagnosis[0])
            terminal_print("  why it is poor    %s\n", run.diagnosis);
        if (result->reduced_dimension > 0)
            terminal_print("  reduced dimension %d\n", result->reduced_dimension);
        terminal_print("  size of the model %.4g MB\n", 1e-6 * (double)outcome->size_bytes);
        if (run.external)
            terminal_print("  time              %.3f s\n", outcome->total_s);
        else
            terminal_print("  time              %.3f s (%.3f s to the first model, %.3f s sweeps)\n",
                           outcome->total_s, result->initialization_s, result->sweeps_s);
        if (result->passes > 0)
            terminal_print(
                "  reduction         %.3f s in %d passes over the file, which took %.3f s to read (%.3f s "
                "waited)\n",
                result->reduction_s, result->passes, result->read_s, result->waited_s);
        if (run.external)
            external_print(run.external);
        terminal_print("  written to        %s\n", run.output);
    }
    if (run.outcome.is_stopped)
        return status_make(STATUS_STOPPED, "stopped; the best model so far is in %s", run.output);
    return status_ok();
}

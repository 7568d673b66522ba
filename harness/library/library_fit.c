/* Decomposition: runs a fit like the command `fit` and reports its result. */
#include "harness/library/library.h"

#include "harness/run/fit/fit_diagnosis.h"
#include "methods/registry.h"

/* Checks a number given by the caller; 0 means that the caller did not give it. */
static Status number_check(int number, int max, const char *what)
{
    return number >= 0 && number <= max ? status_ok()
                                        : bad_usage("%s is %d, expected 0 to %d", what, number, max);
}

/* Makes a task from the caller's options. The task refers to `values` and `progress`, which must outlive
 * it. */
static Status task_make(const SkinbenchDataset *animation, const SkinbenchFitOptions *options,
                        ParameterValues *values, const Progress *progress, FitTask *task)
{
    DecompositionOptions *fit = &task->options;
    STATUS_TRY(library_given(options->method, "method"));
    STATUS_TRY(decomposition_method_named(options->method, &task->method));
    STATUS_TRY(library_settings(task->method->parameters, task->method->name, options->settings,
                                options->setting_count, values));
    STATUS_TRY(number_check(options->bones, FIT_BONES_MAX, "bones"));
    STATUS_TRY(number_check(options->influences, FIT_INFLUENCES_MAX, "influences"));
    STATUS_TRY(number_check(options->holdout, FIT_ITERATIONS_MAX, "holdout"));
    STATUS_TRY(
        number_check(options->iterations < 0 ? 0 : options->iterations, FIT_ITERATIONS_MAX, "iterations"));
    if (!(options->error >= 0.0) || !(options->time_limit_s >= 0.0) || options->holdout == 1)
        return bad_usage("error, time_limit_s and holdout are %g, %g and %d, expected 0 or more, "
                         "and a holdout of 2 or more",
                         options->error, options->time_limit_s, options->holdout);
    if (options->bones == 0 && options->error <= 0.0)
        return bad_usage("set the number of bones, the error to reach, or both");
    const Dataset *source = animation->own;
    task->name = source->name[0] != '\0' ? source->name : "the data set";
    task->mesh = &source->mesh;
    task->animation = &source->animation;
    task->holdout = options->holdout;
    task->error = options->error;
    task->keep_stopped = options->keep_stopped != 0;
    fit->bones = options->bones > 0 ? options->bones : FIT_SEARCH_BONES;
    fit->influences = options->influences > 0 ? options->influences : FIT_INFLUENCES;
    fit->time_limit_s = options->time_limit_s;
    fit->iterations = options->iterations > 0   ? options->iterations
                      : options->iterations < 0 ? 0
                                                : fit_iterations_default(task->method, options->time_limit_s);
    fit->seed = options->seed > 0 ? options->seed : 1;
    fit->methods = decomposition_registry;
    fit->parameters = values->values;
    fit->progress = progress;
    return library_threads(options->threads, &fit->threads);
}

static Status report_make(const FitTask *task, const FitOutcome *outcome, SkinbenchFitReport *report)
{
    const DecompositionResult *result = &outcome->result;
    const int count = result->iteration_count + 1;
    report->bones = result->bones_delivered;
    report->iterations = result->iteration_count;
    report->end = fit_end_name(outcome->is_stopped ? FIT_STOPPED : result->end);
    report->e_rms = metric_named("e_rms", &outcome->metrics);
    report->kg_percent = metric_named("kg_percent", &outcome->metrics);
    report->total_s = outcome->total_s;
    report->size_bytes = outcome->size_bytes;
    ALLOCATE(report->errors, count, "the errors of a fit");
    ALLOCATE(report->elapsed_s, count, "the errors of a fit");
    for (int i = 0; i < count; i++) {
        report->errors[i] = fit_error_of(task, outcome, result->squared_error[i]);
        report->elapsed_s[i] = result->elapsed_s[i];
    }
    return status_ok();
}

DEFINE_OWNED_BY(SkinbenchFitReport, skinbench_fit_report_clear)

SkinbenchStatus skinbench_fit(const SkinbenchDataset *animation, const SkinbenchFitOptions *options,
                              SkinbenchDataset **model, SkinbenchFitReport *report)
{
    const long failures = memory_failures();
    UNDO_ON_FAILURE(skinbench_fit_report_clear) SkinbenchFitReport *unfinished = report;
    FitTask task = {.name = NULL};
    CLEANUP(fit_outcome_clear) FitOutcome outcome = {.trials = NULL};
    CLEANUP(fit_sample_clear) FitSample sample = {.vertices = NULL};
    ParameterValues values;
    CallerProgress caller = {NULL, false};
    Progress progress = {NULL, NULL};
    Dataset *made = NULL;
    *model = NULL;
    if (report)
        *report = (SkinbenchFitReport){.bones = 0};
    LIBRARY_TRY(library_given(animation, "data set"));
    LIBRARY_TRY(library_given(options, "option"));
    caller.caller = options->progress;
    progress = library_progress(&caller);
    LIBRARY_TRY(task_make(animation, options, &values, &progress, &task));
    if (report) {
        LIBRARY_TRY(fit_sample_make(&task, &sample));
        LIBRARY_TRY(fit_sample_notes(&task, &sample, report->notes));
    }
    LIBRARY_TRY(fit_task_run(&task, &outcome));
    if (report) {
        LIBRARY_TRY(report_make(&task, &outcome, report));
        LIBRARY_TRY(fit_diagnose(&task, &sample, &outcome, report->diagnosis));
    }
    LIBRARY_TRY(fit_outcome_model(animation->own, &outcome, &made));
    LIBRARY_TRY(library_dataset(made, model));
    unfinished = NULL;
    return library_status(status_ok(), failures);
}

void skinbench_fit_report_clear(SkinbenchFitReport *report)
{
    if (!report)
        return;
    FREE_ALL(report->errors, report->elapsed_s);
    *report = (SkinbenchFitReport){.bones = 0};
}

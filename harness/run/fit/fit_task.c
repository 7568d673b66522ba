/* Runs a decomposition method with a given number of bones, or searches for the fewest bones that reach an
 * error. The search doubles the number of bones until the error is reached, and then halves the gap (FESAM
 * section 5). The model is measured in the form in which a data set stores it. */
#include "harness/run/fit/fit_task.h"

#include "harness/measure/metrics/frame_source.h"
#include "harness/measure/metrics/metrics_stream.h"
#include "methods/fitting/holdout.h"

/* Computes the metrics of the model in single precision, in which a data set stores it. */
static Status outcome_measure(const FitTask *task, FitOutcome *out)
{
    Mesh rest = *task->mesh;
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    if (out->result.rest)
        rest.rest = out->result.rest;
    if (task->first_frame)
        STATUS_TRY(frame_source_open(task->name, task->options.threads, NULL, &target));
    else
        STATUS_TRY(frame_source_of_parts(task->name, task->mesh, task->animation, NULL, NULL,
                                         task->options.threads, &target));
    target->ranks = task->ranks;
    if (task->further)
        target->further = true;
    STATUS_TRY(frame_source_of_parts("the fitted model", &rest, NULL, &out->result.rig, &out->result.low_rank,
                                     task->options.threads, &candidate));
    STATUS_TRY(frame_sources_measure_apart(target, candidate, task->holdout,
                                           task->keep_stopped ? NULL : task->options.progress, &out->metrics,
                                           &out->held));
    out->is_stopped = task->keep_stopped && progress_stopped(task->options.progress);
    return status_ok();
}

/* Fits options.bones bones, ignoring the task's error. Sets is_wrong if the model is not finite or breaks
 * the method's contract. */
static Status bone_fit_run(const FitTask *task, FitOutcome *out)
{
    DecompositionInput input = {task->mesh, task->animation, 0.0, task->ranks};
    Animation first = *task->animation;
    if (task->first_frame) {
        first = (Animation){.frame_count = 1};
        first.positions = task->first_frame;
    }
    STATUS_TRY(metrics_unit_radius(&first, task->mesh->vertex_count, &input.unit_radius));
    ranks_broadcast(task->ranks, &input.unit_radius, sizeof input.unit_radius);
    out->unit_radius = input.unit_radius;
    const double start = clock_now_s();
    const Status fitted =
        decomposition_fit_holdout(task->method, &input, &task->options, task->holdout, &out->result);
    out->is_wrong = fitted.code == STATUS_CHECK_FAILED;
    STATUS_TRY(fitted);
    out->total_s = task->options.context ? out->result.initialization_s /* the program, without its files */
                                         : clock_now_s() - start - out->result.holdout_s;
    if (out->result.end == FIT_STOPPED && !task->keep_stopped)
        return status_make(STATUS_STOPPED, "stopped after %d sweeps while fitting %s to %s",
                           out->result.iteration_count, task->method->name, task->name);
    const Status measured = outcome_measure(task, out);
    if (measured.code != STATUS_BAD_INPUT)
        return measured;
    out->is_wrong = true; /* the input has already been checked, so the model must be wrong */
    return status_with_code(STATUS_CHECK_FAILED, measured);
}

static void outcome_drop_model(FitOutcome *outcome)
{
    decomposition_result_clear(&outcome->result);
    metrics_clear(&outcome->metrics);
    metrics_clear(&outcome->held);
}

void fit_outcome_clear(FitOutcome *outcome)
{
    outcome_drop_model(outcome);
    memory_free(outcome->trials);
    *outcome = (FitOutcome){0};
}

int fit_iterations_default(const DecompositionMethod *method, double time_limit_s)
{
    if (time_limit_s > 0.0)
        return FIT_ITERATIONS_MAX;
    return method->iterations > 0 ? method->iterations : 15;
}

Status fit_outcome_model(const Dataset *source, FitOutcome *outcome, Dataset **out)
{
    const Mesh *mesh = &source->mesh;
    DecompositionResult *result = &outcome->result;
    size_t vertices = (size_t)mesh->vertex_count;
    OWNED_BY(dataset_free) Dataset *model = NULL;
    *out = NULL;
    STATUS_TRY(dataset_create(source->name, source->title, source->source, source->license, &model));
    model->fps = source->fps;
    STATUS_TRY(clips_copy(&source->clips, &model->clips));
    STATUS_TRY(mesh_copy(mesh, &model->mesh));
    if (result->rest)
        memcpy(model->mesh.rest, result->rest, 3 * vertices * sizeof(float));
    if (mesh->original_vertices) {
        ALLOCATE(model->mesh.original_vertices, vertices, "the order of the vertices");
        memcpy(model->mesh.original_vertices, mesh->original_vertices, vertices * sizeof(int32_t));
    }
    STATUS_TRY(mesh_attributes_copy(mesh, &model->mesh));
    model->rig = result->rig;
    model->low_rank = result->low_rank;
    result->rig = (Rig){0};
    result->low_rank = (LowRank){0};
    *out = TAKE(model);
    return status_ok();
}

double fit_error_of(const FitTask *task, const FitOutcome *outcome, double squared_error)
{
    int frames = task->animation->frame_count;
    double entries = 3.0 * task->mesh->vertex_count * (frames - held_frame_count(frames, task->holdout));
    return 1000.0 * sqrt(squared_error / entries) / outcome->unit_radius;
}

/* ---- the search ---- */

/* Largest number of trials. Doubling to 2^30 bones takes 31 trials; after that, at least every third trial
 * halves the gap. */
enum { TRIALS_MAX = 128 };

typedef struct BoneSearch {
    const FitTask *task;
    FitOutcome *out; /* receives the trials, and the model with the fewest bones so far */
    char what[64];   /* name of the current fit, for progress reports */
    int steps_expected;
    double done; /* last reported progress */
    int failed;  /* largest number of bones that misses the error; 0: none yet */
    int reached; /* smallest number of bones that reaches the error; 0: none yet */
    double failed_error, reached_error,
        kept_error; /* E_RMS of the model in `out` (kept_error); INFINITY if there is none */
    int gap_before,
        gap_two_before; /* difference between `reached` and `failed`, one trial ago and two trials ago */
} BoneSearch;

/* Reports progress. Each fit of a search gets an equal part of the progress bar. The bar never moves back
 * while a fit is measured. */
static bool search_report(void *context, const char *what, double share)
{
    BoneSearch *search = context;
    if (!what)
        return !progress_stopped(search->task->options.progress);
    double done = (search->out->trial_count + share) / search->steps_expected;
    search->done = fmin(fmax(search->done, done), 1.0);
    return progress_report(search->task->options.progress, search->what, search->done);
}

/* Moves the model of a trial into the outcome. */
static void trial_keep(BoneSearch *search, FitOutcome *trial)
{
    FitOutcome kept = *search->out;
    search->out->unit_radius = trial->unit_radius;
    search->out->result = trial->result;
    search->out->metrics = trial->metrics;
    search->out->held = trial->held;
    search->kept_error = metric_named("e_rms", &trial->metrics);
    trial->result = kept.result;
    trial->metrics = kept.metrics;
    trial->held = kept.held;
}

static Status bones_try(BoneSearch *search, int bones)
{
    FitTask task = *search->task;
    CLEANUP(fit_outcome_clear) FitOutcome trial = {0};
    Progress progress = {search_report, search};
    task.options.bones = bones;
    task.options.progress = &progress;
    snprintf(search->what, sizeof search->what, "%d bones", bones);
    const Status status = bone_fit_run(&task, &trial);
    search->out->is_wrong = trial.is_wrong;
    search->out->is_stopped = trial.is_stopped;
    STATUS_TRY(status);
    SearchTrial *note = &search->out->trials[search->out->trial_count++];
    *note = (SearchTrial){trial.result.bones_requested, trial.result.bones_delivered,
                          metric_named("e_rms", &trial.metrics), trial.total_s};
    search->out->total_s += trial.total_s;
    if (metric_named("e_rms", &trial.metrics) <= task.error) {
        search->reached = trial.result.bones_delivered < bones ? trial.result.bones_delivered : bones;
        search->reached_error = metric_named("e_rms", &trial.metrics);
        trial_keep(search, &trial);
    } else {
        search->failed = bones;
        search->failed_error = metric_named("e_rms", &trial.metrics);
        if (search->reached == 0 && search->failed_error < search->kept_error)
            trial_keep(search, &trial);
    }
    return status_ok();
}

/* Returns the next number of bones to try, between `failed` and `reached`. It is usually interpolated under
 * the assumption that the error is a power of the number of bones. If two such trials have not halved the
 * gap, the middle of the gap is tried. */
static int bones_between(BoneSearch *search)
{
    int low = search->failed, high = search->reached, gap = high - low;
    bool stalled = search->gap_two_before > 0 && 2 * gap > search->gap_two_before;
    search->gap_two_before = search->gap_before;
    search->gap_before = gap;
    if (low < 1 || stalled)
        return low + gap / 2;
    double error = search->task->error;
    double below = fmax(search->reached_error, 1e-3 * error); /* avoids log(0) for an exact fit */
    double share = log(search->failed_error / error) / log(search->failed_error / below);
    double met = low * pow((double)high / low, share);
    return met <= low + 1 ? low + 1 : met >= high - 1 ? high - 1 : (int)lround(met);
}

/* Searches for the fewest bones. More bones do not always lower the error. The result is therefore a number
 * of bones that reached the error in a trial, while a trial with one bone less missed the error. */
static Status bone_search_go(BoneSearch *search)
{
    const FitTask *task = search->task;
    const int cap = task->options.bones;
    FitOutcome *out = search->out;
    while (search->reached == 0 && search->failed < cap && !out->is_stopped)
        STATUS_TRY(bones_try(search, int_min(search->failed > 0 ? 2 * search->failed : 1, cap)));
    if (search->reached == 0 && !out->is_stopped) {
        outcome_drop_model(out);
        const SearchTrial *best = &search->out->trials[0];
        for (int i = 1; i < search->out->trial_count; i++)
            if (search->out->trials[i].e_rms < best->e_rms)
                best = &search->out->trials[i];
        return status_make(STATUS_CHECK_FAILED,
                           "%s: E_RMS %g is not reached with up to %d bones; the lowest is %.6g, with %d",
                           search->task->name, search->task->error, search->task->options.bones, best->e_rms,
                           best->bones);
    }
    while (search->reached - search->failed > 1 && !out->is_stopped)
        STATUS_TRY(bones_try(search, bones_between(search)));
    return status_ok();
}

static Status bone_search_run(const FitTask *task, FitOutcome *out)
{
    BoneSearch search = {.task = task, .out = out, .kept_error = INFINITY};
    search.steps_expected = 2 * (int)ceil(log2((double)task->options.bones + 1.0));
    ALLOCATE(out->trials, TRIALS_MAX, "the search for the number of bones");
    const Status status = bone_search_go(&search);
    if (status.code != STATUS_STOPPED || !task->keep_stopped || out->trial_count == 0)
        return status;
    out->is_stopped = true;
    return status_ok();
}

Status fit_task_run(const FitTask *task, FitOutcome *out)
{
    *out = (FitOutcome){0};
    if (task->animation->frame_count < 1)
        return bad_input(
            "%s has no positions to fit (animation/positions); `skin -o` can make them from a rig",
            task->name);
    STATUS_TRY(task->error > 0.0 ? bone_search_run(task, out) : bone_fit_run(task, out));
    out->size_bytes = decomposition_size(&out->result, task->mesh->vertex_count);
    return status_ok();
}

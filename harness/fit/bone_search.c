/* Searches the fewest bones that reach an error: doubling, then bisection. */
#include "harness/fit/bone_search.h"

#include "datasets/base/memory.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Doubling to 2^30 bones takes 31 trials; of those between, at least every third halves the gap. */
enum { TRIALS_MAX = 128 };

typedef struct BoneSearch {
    const FitTask *task;
    FitOutcome *out; /* the model of the fewest bones so far, and the trials */
    char what[64];   /* the name of the fit that runs, for progress */
    int steps_expected;
    int failed;  /* the most bones that do not reach the error; 0: none */
    int reached; /* the fewest that do; 0: none */
    double failed_error, reached_error;
    int gap_before, gap_two_before; /* between failed and reached, one and two trials ago */
} BoneSearch;

/* The fits of a search share the bar evenly. */
static bool search_report(void *context, const char *what, double share)
{
    const BoneSearch *search = context;
    (void)what;
    double done = (search->out->trial_count + share) / search->steps_expected;
    return progress_report(search->task->options.progress, search->what, fmin(done, 1.0));
}

static void trial_note(BoneSearch *search, const FitOutcome *trial)
{
    BoneTrial *note = &search->out->trials[search->out->trial_count++];
    *note = (BoneTrial){trial->result.bones_requested, trial->result.bones_delivered,
                        metric_named("e_rms", &trial->metrics), trial->total_s};
    search->out->total_s += trial->total_s;
}

/* The trial's model becomes the outcome's. */
static void trial_keep(BoneSearch *search, FitOutcome *trial)
{
    FitOutcome kept = *search->out;
    search->out->unit_radius = trial->unit_radius;
    search->out->result = trial->result;
    search->out->metrics = trial->metrics;
    search->out->held = trial->held;
    trial->result = kept.result;
    trial->metrics = kept.metrics;
    trial->held = kept.held;
}

static Status bones_try(BoneSearch *search, int bones)
{
    FitTask task = *search->task;
    FitOutcome trial = {0};
    Progress progress = {search_report, search};
    task.options.bones = bones;
    task.options.progress = &progress;
    snprintf(search->what, sizeof search->what, "%d bones", bones);
    Status status = bone_fit_run(&task, &trial);
    if (status.code == STATUS_OK) {
        trial_note(search, &trial);
        if (metric_named("e_rms", &trial.metrics) <= task.error) {
            search->reached = trial.result.bones_delivered < bones ? trial.result.bones_delivered : bones;
            search->reached_error = metric_named("e_rms", &trial.metrics);
            trial_keep(search, &trial);
        } else {
            search->failed = bones;
            search->failed_error = metric_named("e_rms", &trial.metrics);
        }
    }
    search->out->is_wrong = trial.is_wrong;
    fit_outcome_clear(&trial);
    return status;
}

/* Where between failed and reached the error would be met if it fell by a power of the bones; the middle when
 * two such trials have not halved the gap. */
static int bones_between(BoneSearch *search)
{
    int low = search->failed, high = search->reached, gap = high - low;
    bool stalled = search->gap_two_before > 0 && 2 * gap > search->gap_two_before;
    search->gap_two_before = search->gap_before;
    search->gap_before = gap;
    if (low < 1 || stalled)
        return low + gap / 2;
    double error = search->task->error;
    double below = fmax(search->reached_error, 1e-3 * error); /* an exact fit gives no power */
    double share = log(search->failed_error / error) / log(search->failed_error / below);
    double met = low * pow((double)high / low, share);
    return met <= low + 1 ? low + 1 : met >= high - 1 ? high - 1 : (int)lround(met);
}

static Status not_reached(const BoneSearch *search)
{
    const BoneTrial *best = &search->out->trials[0];
    for (int i = 1; i < search->out->trial_count; i++)
        if (search->out->trials[i].e_rms < best->e_rms)
            best = &search->out->trials[i];
    return status_make(
        STATUS_CHECK_FAILED, "%s: E_RMS %g is not reached with up to %d bones; the nearest is %.6g, with %d",
        search->task->name, search->task->error, search->task->options.bones, best->e_rms, best->bones);
}

Status bone_search_run(const FitTask *task, FitOutcome *out)
{
    int cap = task->options.bones;
    BoneSearch search = {.task = task, .out = out};
    Status status;
    search.steps_expected = 2 * (int)ceil(log2((double)cap + 1.0));
    out->trials = memory_array(TRIALS_MAX, sizeof *out->trials);
    if (!out->trials)
        return status_out_of_memory("the search for the number of bones");
    while (search.reached == 0 && search.failed < cap) {
        int next = search.failed > 0 ? 2 * search.failed : 1;
        STATUS_TRY(bones_try(&search, next < cap ? next : cap));
    }
    if (search.reached == 0)
        return not_reached(&search);
    while (search.reached - search.failed > 1)
        STATUS_TRY(bones_try(&search, bones_between(&search)));
done:
    return status;
}

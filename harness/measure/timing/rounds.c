/* Implements interleaved rounds: calibration, a seeded order per round, and the conditions for stopping. */
#include "harness/measure/timing/rounds.h"

#include "harness/measure/timing/disturbance.h"

static const double MINIMUM_SAMPLE_S = 2e-3, LONG_SAMPLE_S = 0.2;
enum { INNER_CAP = 1 << 22, VISITS_MAX = 3 };
/* Fraction of the time budget that may be spent on repeated visits. */
static const double REPEATS_SHARE = 0.5;

const char *rounds_end_name(RoundsEnd end)
{
    static const char *const names[] = {
        [ROUNDS_PRECISE] = "precision-reached",
        [ROUNDS_CAP] = "rounds-cap",
        [ROUNDS_BUDGET] = "time-budget",
        [ROUNDS_STOPPED] = "stopped",
    };
    return names[end];
}

static Status task_run(TimedTask *task, int inner, double *total_s)
{
    double (*const now)(void) = task->clock ? task->clock : clock_now_s;
    *total_s = 0.0;
    double start = now();
    for (int i = 0; i < inner; i++) {
        if (task->prepare) {
            STATUS_TRY(task->prepare(task->context));
            start = now();
        }
        STATUS_TRY(task->run(task->context));
        if (task->prepare)
            *total_s += now() - start;
    }
    if (!task->prepare)
        *total_s = now() - start;
    return status_ok();
}

Status task_calibrate(TimedTask *task)
{
    double total = 0.0;
    STATUS_TRY(task_run(task, 1, &total)); /* the first run is slower, because caches are cold and pages are
                                              touched for the first time */
    int inner = 1;
    if (total >=
        LONG_SAMPLE_S) { /* After such a long run, the effect of cold caches and page faults is negligible. */
        task->inner = 1;
        return status_ok();
    }
    for (;; inner *= 2) {
        STATUS_TRY(task_run(task, inner, &total));
        if (total >= MINIMUM_SAMPLE_S || inner >= INNER_CAP)
            break;
    }
    /* The doubled number of runs may be too large; compute the number that is just long enough. */
    const double exact = total > 0.0 ? ceil(1.05 * inner * MINIMUM_SAMPLE_S / total) : inner;
    task->inner = exact > inner ? inner : int_max((int)exact, 1);
    return status_ok();
}

Status task_visit(TimedTask *task, double *seconds)
{
    double total = 0.0;
    Status status = task_run(task, task->inner, &total);
    *seconds = total / task->inner;
    return status;
}

static Status task_fail(int index, Status failure, const RoundsOptions *options)
{
    return options->task_failed ? options->task_failed(options->context, index, failure) : failure;
}

/* Takes one sample. Repeats a disturbed visit, up to VISITS_MAX visits in all, and keeps the least
 * disturbed one. *repeats_left_s is the time that remains for repeated visits. */
static Status task_sample(TimedTask *task, int index, int round, const RoundsOptions *options,
                          double *repeats_left_s)
{
    double (*stolen_s)(bool) = options->stolen_s ? options->stolen_s : time_stolen_s;
    double kept_s = 0.0, least_share = INFINITY;
    bool disturbed = true;
    for (int visit = 0; visit < VISITS_MAX && disturbed && (visit == 0 || *repeats_left_s > 0.0); visit++) {
        double seconds = 0.0;
        const double stolen_before_s = stolen_s(task->alone), start_s = clock_now_s();
        const Status status = task_visit(task, &seconds);
        if (status.code != STATUS_OK)
            return task_fail(index, status, options);
        const double wall_s = clock_now_s() - start_s, lost_s = stolen_s(task->alone) - stolen_before_s;
        disturbed = sample_is_disturbed(lost_s, wall_s);
        if (visit > 0)
            *repeats_left_s -= wall_s;
        if (!disturbed || lost_s / wall_s < least_share) {
            kept_s = seconds;
            least_share = lost_s / wall_s;
        }
    }
    task->samples[task->sample_count++] = kept_s;
    task->disturbed += disturbed;
    return options->sample_taken ? options->sample_taken(options->context, index, round, kept_s, disturbed)
                                 : status_ok();
}

static double worst_precision(TimedTask *const *tasks, int count, double *scratch)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        if (tasks[i]->dropped)
            continue;
        Statistics s = statistics_of(tasks[i]->samples, (size_t)tasks[i]->sample_count, 1, scratch);
        worst = fmax(worst, 0.5 * (s.interval_high - s.interval_low) / s.median);
    }
    return worst;
}

Status rounds_run(TimedTask *const *tasks, int count, const RoundsOptions *options, int *order,
                  double *scratch, RoundsEnd *end)
{
    *end = ROUNDS_PRECISE;
    if (count == 0)
        return status_ok();
    for (int i = 0; i < count; i++) {
        if (tasks[i]->dropped || tasks[i]->inner > 0)
            continue;
        const Status status = task_calibrate(tasks[i]);
        if (status.code != STATUS_OK)
            STATUS_TRY(task_fail(i, status, options));
    }
    double start = clock_now_s(), repeats_left_s = REPEATS_SHARE * options->time_budget_s;
    int judge_at = options->rounds_minimum,
        whole = options->rounds_cap; /* whole: number of complete rounds */
    for (int i = 0; i < count; i++)
        if (!tasks[i]->dropped)
            whole = int_min(whole, tasks[i]->sample_count);
    for (int round = whole;; round++) {
        double spent = clock_now_s() - start;
        double share = fmax((double)round / options->rounds_cap, spent / options->time_budget_s);
        bool enough = round >= options->rounds_minimum;
        const bool judging = enough && round >= judge_at;
        bool over = true;
        if (!progress_report(options->progress, options->progress_what, fmin(share, 1.0)))
            *end = ROUNDS_STOPPED;
        else if (round >= options->rounds_cap)
            *end = ROUNDS_CAP;
        else if (round > 0 && spent >= options->time_budget_s * (enough ? 1.0 : 4.0))
            *end = ROUNDS_BUDGET;
        else if (judging && worst_precision(tasks, count, scratch) <= options->precision)
            *end = ROUNDS_PRECISE;
        else
            over = false;
        if (over)
            break;
        /* Judging costs a thousand resamples per work item, so the next judgement follows only after 25 %
         * more rounds. */
        if (judging)
            judge_at = round + 1 + round / 4;
        /* The order of a round depends only on the seed and its number, so a resumed run continues like an
         * uninterrupted one. */
        Random random = {options->seed ^ ((uint64_t)round * 0xd1342543de82ef95u)};
        random_order(&random, count, order);
        for (int i = 0; i < count; i++)
            if (!tasks[order[i]]->dropped && tasks[order[i]]->sample_count <= round)
                STATUS_TRY(task_sample(tasks[order[i]], order[i], round, options, &repeats_left_s));
    }
    return status_ok();
}

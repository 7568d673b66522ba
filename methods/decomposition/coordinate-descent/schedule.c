/* Which sweeps and trials a fit consists of, and when it ends. */
#include "methods/decomposition/coordinate-descent/schedule.h"

#include "methods/decomposition/coordinate-descent/reseed.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* The share of the error that dimensions left out come to hold before more are taken up. */
static const double LEADING_MOST = 0.25;

enum {
    FIRST_SWEEPS = 40, /* before bones are moved */
    TRIAL_SWEEPS = 8,
    REST_SWEEPS = 8, /* after a trial that failed: twice that, and twice as many after each further one */
    DOUBLINGS = 5,   /* at most */
    LAST_SWEEPS = 10 /* after the last trial */
};

/* What delivering a model takes, in sweeps. */
static const double DELIVERY = 0.6;

typedef struct Schedule {
    FitState *fit;
    Reseed reseed;
    bool moving;  /* bones are moved at all */
    bool trial;   /* a trial is under way */
    int left;     /* sweeps until it is judged, or until the next begins */
    int steady;   /* sweeps since the last trial */
    int failures; /* trials that failed since one was kept */
} Schedule;

void fit_record(FitState *fit, int iteration, double squared_error)
{
    fit->result->squared_error[iteration] = squared_error + fit->tail + fit->reduction.residual;
    fit->result->elapsed_s[iteration] = clock_now_s() - fit->started_s;
    fit->result->iteration_count = iteration;
}

void fit_take_all_dimensions(FitState *fit)
{
    if (!fit->leading)
        return;
    reduced_model_take_coordinates(&fit->model, fit->reduction.coordinates, fit->reduction.dimension);
    memory_free(fit->leading);
    fit->leading = NULL;
    fit->tail = 0.0;
}

Status fit_choose_leading(FitState *fit, double share, double squared_error)
{
    const Reduction *reduction = &fit->reduction;
    int all = reduction->dimension, dimension = all;
    double tail = 0.0;
    Status status;
    fit_take_all_dimensions(fit);
    STATUS_TRY(leading_dimensions(&fit->model, reduction->coordinates, all, share * share * squared_error,
                                  &dimension, &tail));
    if (dimension == all)
        goto done;
    fit->leading = memory_table((size_t)reduction->vertex_count, (size_t)dimension, sizeof(double));
    STATUS_TRY(fit->leading ? status_ok() : status_out_of_memory("the leading dimensions"));
#pragma omp parallel for schedule(static) num_threads(fit->model.threads)
    for (ptrdiff_t j = 0; j < reduction->vertex_count; j++)
        memcpy(fit->leading + j * dimension, reduction->coordinates + j * all,
               (size_t)dimension * sizeof(double));
    fit->tail = tail;
    reduced_model_take_coordinates(&fit->model, fit->leading, dimension);
done:
    return status;
}

static bool fit_is_exact(const FitState *fit)
{
    /* The target's own coordinates are rounded to float, by up to half a unit of the last place. */
    double rounding = 1.0 / (1 << 24);
    double error = fit->result->squared_error[fit->result->iteration_count];
    return error <= rounding * rounding * fit->reduction.total;
}

static Status schedule_sweep(Schedule *schedule, int iteration)
{
    FitState *fit = schedule->fit;
    VertexUpdateOptions sweep = fit->settings.settling;
    /* The mixed choice only settles, so the first sweeps explore. */
    bool settling = sweep.choice != CHOICE_MIXED || iteration > fit->settings.explore;
    if (!settling) {
        sweep.choice = CHOICE_PREDICTION;
        sweep.rounds = 1;
        sweep.outlier = 0.0;
    }
    double started_s = clock_now_s();
    Status status = alternation_sweep(&fit->alternation, &sweep, settling);
    double taken_s = clock_now_s() - started_s;
    fit->sweep_s = iteration > 1 ? 0.5 * (fit->sweep_s + taken_s) : taken_s;
    double error = fit->alternation.squared_error;
    fit_record(fit, iteration,
               schedule->trial && !reseed_pays(&schedule->reseed) ? schedule->reseed.kept.squared_error
                                                                  : error);
    schedule->steady = schedule->trial ? 0 : schedule->steady + 1;
    schedule->left--;
    return status;
}

/* Whether the last sweeps brought nothing: a fixed point, not a plateau. */
static bool schedule_is_settled(const Schedule *schedule)
{
    enum { SWEEPS = 5 };
    const FitState *fit = schedule->fit;
    int last = fit->result->iteration_count;
    const double *errors = fit->result->squared_error;
    return (!schedule->moving || schedule->failures >= fit->model.bone_count) && schedule->steady > SWEEPS &&
           last > fit->settings.explore + SWEEPS &&
           fabs(errors[last - SWEEPS] - errors[last]) <= 1e-9 * errors[last];
}

static void schedule_judge(Schedule *schedule)
{
    if (!schedule->trial)
        return;
    bool kept = reseed_judge(&schedule->reseed);
    schedule->trial = false;
    schedule->failures = kept ? 0 : schedule->failures + 1;
    schedule->left =
        kept ? 0 : REST_SWEEPS << (schedule->failures < DOUBLINGS ? schedule->failures : DOUBLINGS);
}

/* Whether a trial before sweep `iteration` leaves the sweeps and the time to settle. */
static bool schedule_may_try(const Schedule *schedule, int iteration)
{
    const DecompositionOptions *options = schedule->fit->options;
    double elapsed = clock_now_s() - schedule->fit->started_s;
    return schedule->moving && schedule->failures < schedule->fit->model.bone_count &&
           iteration + TRIAL_SWEEPS + LAST_SWEEPS <= options->iterations + 1 &&
           ranks_decide(schedule->fit->input->ranks,
                        options->time_limit_s <= 0.0 || elapsed < 0.85 * options->time_limit_s);
}

/* Takes up more dimensions where the error has come down to what the others hold. */
static Status schedule_widen(Schedule *schedule)
{
    FitState *fit = schedule->fit;
    double squared_error = fit->alternation.squared_error + fit->tail;
    Status status = status_ok();
    if (schedule->trial || !(fit->tail > LEADING_MOST * LEADING_MOST * squared_error))
        return status;
    alternation_unmix(&fit->alternation);
    STATUS_TRY(fit_choose_leading(fit, fit->settings.leading, squared_error));
    STATUS_TRY(transformations_solve(&fit->model, &squared_error));
    alternation_clear(&fit->alternation);
    STATUS_TRY(alternation_make(&fit->alternation, &fit->model, squared_error, fit->settings.window));
    reseed_clear(&schedule->reseed);
    status = reseed_make(&schedule->reseed, &fit->alternation);
done:
    return status;
}

/* Between sweeps: ends a trial that is due, begins the next. */
static Status schedule_turn(Schedule *schedule, int iteration)
{
    Status status = schedule_widen(schedule);
    if (schedule->left > 0 || status.code != STATUS_OK)
        return status;
    schedule_judge(schedule);
    if (schedule->left == 0 && schedule_may_try(schedule, iteration)) {
        status = reseed_try(&schedule->reseed, &schedule->trial);
        schedule->left = TRIAL_SWEEPS;
    }
    return status;
}

/* What is left of the time when one more sweep has been made and the model delivered. */
static double schedule_time_left(const Schedule *schedule)
{
    const FitState *fit = schedule->fit;
    double elapsed = clock_now_s() - fit->started_s;
    return fit->options->time_limit_s - elapsed - (1.0 + DELIVERY) * fit->sweep_s;
}

static bool rank_must_end(const Schedule *schedule, int iteration, FitEnd *end)
{
    const DecompositionOptions *options = schedule->fit->options;
    if (iteration > options->iterations)
        *end = FIT_ITERATION_CAP;
    else if (fit_is_exact(schedule->fit))
        *end = FIT_EXACT;
    else if (schedule_is_settled(schedule))
        *end = FIT_COMPLETE;
    else if (decomposition_must_end(options, schedule->fit->started_s, iteration - 1, "sweeps",
                                    0.6 + 0.4 * (iteration - 1) / options->iterations, end))
        return true;
    else if (options->time_limit_s > 0.0 && schedule_time_left(schedule) < 0.0)
        *end = FIT_TIME_LIMIT;
    else
        return false;
    return true;
}

/* What there is to say against sweep `iteration`; true: it is the end. Rank 0's clock and callback decide. */
static bool schedule_must_end(const Schedule *schedule, int iteration, FitEnd *end)
{
    const Ranks *ranks = schedule->fit->input->ranks;
    bool ended = rank_must_end(schedule, iteration, end);
    ranks_broadcast(ranks, end, sizeof *end);
    return ranks_decide(ranks, ended);
}

Status schedule_run(FitState *fit)
{
    Schedule schedule = {.fit = fit, .left = FIRST_SWEEPS + fit->settings.explore};
    Status status = status_ok();
    schedule.moving = fit->settings.head_start.trial_sweeps > 0 && fit->model.bone_count > 1;
    for (int iteration = 1; !schedule_must_end(&schedule, iteration, &fit->result->end); iteration++) {
        if (iteration == 1)
            STATUS_TRY(reseed_make(&schedule.reseed, &fit->alternation));
        STATUS_TRY(schedule_turn(&schedule, iteration));
        STATUS_TRY(schedule_sweep(&schedule, iteration));
    }
    schedule_judge(&schedule);
    progress_report(fit->options->progress, "sweeps", 1.0);
done:
    reseed_clear(&schedule.reseed);
    return status;
}

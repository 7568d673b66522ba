#include "methods/decomposition/coordinate-descent/course.h"

#include "methods/decomposition/coordinate-descent/reseed.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <math.h>
#include <string.h>

/* Shares of the error that the dimensions left out may hold: when they are chosen, and before they are again.
 */
static const double LEADING_SHARE = 0.12, LEADING_MOST = 0.25;

enum {
    FIRST_SWEEPS = 15, /* before bones are moved */
    TRIAL_SWEEPS = 8,
    REST_SWEEPS = 8, /* after a trial that failed */
    LAST_SWEEPS = 10 /* after the last trial */
};

typedef struct Course {
    Fit *fit;
    Reseed reseed;
    bool moving;  /* bones are moved at all */
    bool trial;   /* a trial is under way */
    int left;     /* sweeps until it is judged, or until the next begins */
    int steady;   /* sweeps since the last trial */
    int failures; /* trials that failed since one was kept */
} Course;

void fit_note(Fit *fit, int iteration, double squared_error)
{
    fit->result->squared_error[iteration] = squared_error + fit->tail + fit->reduction.residual;
    fit->result->elapsed_s[iteration] = clock_now_s() - fit->started_s;
    fit->result->iteration_count = iteration;
}

void fit_lead_all(Fit *fit)
{
    if (!fit->leading)
        return;
    descent_take_coordinates(&fit->descent, fit->reduction.coordinates, fit->reduction.dimension);
    memory_free(fit->leading);
    fit->leading = NULL;
    fit->tail = 0.0;
}

Status fit_lead(Fit *fit, double *squared_error)
{
    const Reduction *reduction = &fit->reduction;
    int all = reduction->dimension, dimension = all;
    double tail = 0.0;
    Status status;
    fit_lead_all(fit);
    STATUS_TRY(descent_leading(reduction->coordinates, reduction->vertex_count, all,
                               LEADING_SHARE * LEADING_SHARE * *squared_error, &dimension, &tail));
    if (fit->settings.leading && dimension < all) {
        fit->leading = memory_table((size_t)reduction->vertex_count, (size_t)dimension, sizeof(double));
        if (!fit->leading)
            return status_out_of_memory("the leading dimensions");
        for (ptrdiff_t j = 0; j < reduction->vertex_count; j++)
            memcpy(fit->leading + j * dimension, reduction->coordinates + j * all,
                   (size_t)dimension * sizeof(double));
        fit->tail = tail;
        descent_take_coordinates(&fit->descent, fit->leading, dimension);
    }
    status = transformations_solve(&fit->descent, squared_error);
done:
    return status;
}

static bool fit_is_exact(const Fit *fit)
{
    /* The target's own coordinates are rounded to float, by up to half a unit of the last place. */
    double rounding = 1.0 / (1 << 24);
    double error = fit->result->squared_error[fit->result->iteration_count];
    return error <= rounding * rounding * fit->reduction.total;
}

/* How the bones are chosen in a sweep: the mixed choice only settles, so the first sweeps explore. */
static BoneChoice choice_of_sweep(const Fit *fit, int iteration)
{
    bool exploring = fit->settings.choice == CHOICE_MIXED && iteration <= fit->settings.explore;
    return exploring ? CHOICE_PREDICTION : fit->settings.choice;
}

static Status course_sweep(Course *course, int iteration)
{
    Fit *fit = course->fit;
    BoneChoice choice = choice_of_sweep(fit, iteration);
    bool settling = choice == fit->settings.choice;
    SweepOptions sweep = {choice, fit->settings.rest_free, settling ? fit->settings.rounds : 1,
                          settling ? fit->settings.outlier : 0.0};
    Status status = sweeper_sweep(&fit->sweeper, &sweep, settling);
    double error = fit->sweeper.squared_error;
    fit_note(fit, iteration, course->trial ? fmin(error, course->reseed.kept.squared_error) : error);
    course->steady = course->trial ? 0 : course->steady + 1;
    course->left--;
    return status;
}

/* Whether the last sweeps brought nothing: a fixed point, not a plateau. */
static bool course_is_settled(const Course *course)
{
    enum { SWEEPS = 5 };
    const Fit *fit = course->fit;
    int last = fit->result->iteration_count;
    const double *errors = fit->result->squared_error;
    return (!course->moving || course->failures >= fit->descent.bone_count) && course->steady > SWEEPS &&
           last > fit->settings.explore + SWEEPS &&
           fabs(errors[last - SWEEPS] - errors[last]) <= 1e-9 * errors[last];
}

static void course_judge(Course *course)
{
    if (!course->trial)
        return;
    bool kept = reseed_judge(&course->reseed);
    course->trial = false;
    course->failures = kept ? 0 : course->failures + 1;
    course->left = kept ? 0 : REST_SWEEPS;
}

/* Whether a trial before sweep `iteration` leaves the sweeps and the time to settle. */
static bool course_may_try(const Course *course, int iteration)
{
    const DecompositionOptions *options = course->fit->options;
    double elapsed = clock_now_s() - course->fit->started_s;
    return course->moving && course->failures < course->fit->descent.bone_count &&
           iteration + TRIAL_SWEEPS + LAST_SWEEPS <= options->iterations + 1 &&
           (options->time_limit_s <= 0.0 || elapsed < 0.85 * options->time_limit_s);
}

/* Takes up more dimensions where the error has come down to what the others hold. */
static Status course_widen(Course *course)
{
    Fit *fit = course->fit;
    double squared_error = fit->sweeper.squared_error + fit->tail;
    Status status = status_ok();
    if (course->trial || !(fit->tail > LEADING_MOST * LEADING_MOST * squared_error))
        return status;
    sweeper_unmix(&fit->sweeper);
    STATUS_TRY(fit_lead(fit, &squared_error));
    sweeper_clear(&fit->sweeper);
    STATUS_TRY(sweeper_make(&fit->sweeper, &fit->descent, squared_error, fit->settings.window));
    reseed_clear(&course->reseed);
    status = reseed_make(&course->reseed, &fit->sweeper);
done:
    return status;
}

/* Between sweeps: ends a trial that is due, begins the next. */
static Status course_turn(Course *course, int iteration)
{
    Status status = course_widen(course);
    if (course->left > 0 || status.code != STATUS_OK)
        return status;
    course_judge(course);
    if (course->left == 0 && course_may_try(course, iteration)) {
        status = reseed_try(&course->reseed, &course->trial);
        course->left = TRIAL_SWEEPS;
    }
    return status;
}

/* What there is to say against sweep `iteration`; true: it is the end. */
static bool course_must_end(const Course *course, int iteration, FitEnd *end)
{
    const DecompositionOptions *options = course->fit->options;
    if (iteration > options->iterations)
        *end = FIT_ITERATION_CAP;
    else if (fit_is_exact(course->fit))
        *end = FIT_EXACT;
    else if (course_is_settled(course))
        *end = FIT_COMPLETE;
    else if (options->time_limit_s > 0.0 && clock_now_s() - course->fit->started_s >= options->time_limit_s)
        *end = FIT_TIME_LIMIT;
    else if (!progress_report(options->progress, "sweeps", 0.6 + 0.4 * (iteration - 1) / options->iterations))
        *end = FIT_STOPPED;
    else
        return false;
    return true;
}

Status fit_sweeps(Fit *fit)
{
    Course course = {.fit = fit, .left = FIRST_SWEEPS + fit->settings.explore};
    Status status;
    course.moving = fit->settings.coarse.trial_sweeps > 0 && fit->settings.smoothing == 0.0 &&
                    fit->descent.bone_count > 1;
    STATUS_TRY(reseed_make(&course.reseed, &fit->sweeper));
    for (int iteration = 1; !course_must_end(&course, iteration, &fit->result->end); iteration++) {
        STATUS_TRY(course_turn(&course, iteration));
        STATUS_TRY(course_sweep(&course, iteration));
    }
    course_judge(&course);
    progress_report(fit->options->progress, "sweeps", 1.0);
done:
    reseed_clear(&course.reseed);
    return status;
}

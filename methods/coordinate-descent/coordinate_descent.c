/* FESAM: skinning decomposition by coordinate descent in reduced coordinates. */
#include "datasets/base/memory.h"
#include "methods/coordinate-descent/delivery.h"
#include "methods/coordinate-descent/descent.h"
#include "methods/coordinate-descent/fit.h"
#include "methods/coordinate-descent/seeding.h"
#include "methods/coordinate-descent/sweep.h"
#include "methods/coordinate-descent/transformations.h"
#include "methods/decomposition.h"
#include "methods/fitting/clock.h"
#include "methods/reduction/reduction.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    P_PRESET,
    P_REDUCE,
    P_THRESHOLD,
    P_STABILIZE,
    P_CENTER,
    P_CHOICE,
    P_EXPLORE,
    P_ROUNDS,
    P_WINDOW,
    P_COARSE,
    P_REST,
    P_TRANSFORMS,
    P_SOLVER,
    P_SMOOTH,
    P_COUNT
};

static const char *const preset_words[] = {"best", "fesam", NULL};
static const char *const reduce_words[] = {"preset", "gram", "max", "gs", "pm1", "pm2", "svd", NULL};
static const char *const preset_flag_words[] = {"preset", "no", "yes", NULL};
static const char *const choice_words[] = {"preset", "prediction", "greedy", "mixed", NULL};

static const char *const transforms_words[] = {"affine", "rigid", NULL};

static const char *const solver_words[] = {"auto", "dense", "cholmod", NULL};

static const Parameter parameters[P_COUNT] = {
    [P_PRESET] = {"preset", "best: the best this method can do; fesam: the published algorithm",
                  PARAMETER_CHOICE, 0, 0, 0, preset_words},
    [P_REDUCE] = {"reduce", "strategy of the dimension reduction (best: gram, fesam: max)", PARAMETER_CHOICE,
                  0, 0, 0, reduce_words},
    [P_THRESHOLD] = {"threshold",
                     "error of the reduction in units of E_RMS; 0: the preset's (0.1, rigid bones 0.3; 0.5)",
                     PARAMETER_REAL, 0, 0, 1000, NULL},
    [P_STABILIZE] = {"stabilize", "the stabilising step of FESAM Algorithm 1 (yes in both presets)",
                     PARAMETER_CHOICE, 0, 0, 0, preset_flag_words},
    [P_CENTER] = {"center", "subtract each frame's mean before the reduction (best: yes, fesam: no)",
                  PARAMETER_CHOICE, 0, 0, 0, preset_flag_words},
    [P_CHOICE] = {"choice", "how the bones of a vertex are chosen (best: mixed, fesam: prediction)",
                  PARAMETER_CHOICE, 0, 0, 0, choice_words},
    [P_EXPLORE] = {"explore", "sweeps with choice=prediction before the mixed choice settles",
                   PARAMETER_INTEGER, 0, 0, 1000, NULL},
    [P_ROUNDS] = {"rounds", "rest pose and weights per vertex and sweep; 0: the preset's", PARAMETER_INTEGER,
                  0, 0, 20, NULL},
    [P_WINDOW] = {"window", "sweeps mixed by Anderson acceleration; 0: none (fesam: always none)",
                  PARAMETER_INTEGER, 5, 0, 16, NULL},
    [P_COARSE] = {"coarse", "sweeps over a sample of the vertices as a head start (fesam: always none)",
                  PARAMETER_INTEGER, 40, 0, 1000, NULL},
    [P_REST] = {"rest", "optimise the rest pose", PARAMETER_FLAG, 1, 0, 0, NULL},
    [P_TRANSFORMS] = {"transforms", "affine bones, or rigid ones: a rotation and a translation per frame",
                      PARAMETER_CHOICE, 0, 0, 0, transforms_words},
    [P_SOLVER] = {"solver",
                  "of affine bones' normal equations; auto: CHOLMOD where bones are many and few meet",
                  PARAMETER_CHOICE, 0, 0, 0, solver_words},
    [P_SMOOTH] = {"smooth", "E_RMS a vertex would pay not to differ from its neighbours by a whole weight",
                  PARAMETER_REAL, 0, 0, 1e6, NULL},
};

static int choice_or(double value, int standard)
{
    return value == 0.0 ? standard : (int)value - 1;
}

static Settings settings_make(const DecompositionInput *input, const DecompositionOptions *options)
{
    const double *values = options->parameters;
    bool fesam = values[P_PRESET] != 0.0;
    bool rigid = values[P_TRANSFORMS] != 0.0;
    double threshold = values[P_THRESHOLD] > 0.0 ? values[P_THRESHOLD] : (fesam ? 0.5 : rigid ? 0.3 : 0.1);
    double entries = 3.0 * input->animation->frame_count * input->mesh->vertex_count;
    Settings settings = {
        .reduction = {.strategy = (ReductionStrategy)choice_or(values[P_REDUCE],
                                                               fesam ? REDUCTION_MAX : REDUCTION_GRAM),
                      .threshold = 1e-3 * threshold * input->unit_radius * sqrt(entries),
                      .stabilize = choice_or(values[P_STABILIZE], 1) != 0,
                      .center = choice_or(values[P_CENTER], !fesam) != 0,
                      .progress = options->progress},
        .choice = (BoneChoice)choice_or(values[P_CHOICE], fesam ? CHOICE_PREDICTION : CHOICE_MIXED),
        .explore = (int)values[P_EXPLORE],
        .rounds = values[P_ROUNDS] > 0.0 ? (int)values[P_ROUNDS] : (fesam ? 1 : 3),
        .window = fesam ? 0 : (int)values[P_WINDOW],
        .nearest_too = !fesam,
        .outlier = fesam ? 0.0 : 4.0,
        .rest_free = values[P_REST] != 0.0,
        .rigid = rigid,
        .smoothing =
            pow(1e-3 * values[P_SMOOTH] * input->unit_radius, 2.0) * 3.0 * input->animation->frame_count,
    };
    settings.coarse = (CoarseOptions){
        .sweeps = fesam ? 0 : (int)values[P_COARSE],
        .explore = 10,
        .vertices_per_bone = 200,
        .tail = 0.1,
        .window = settings.window,
        .deadline_s = options->time_limit_s > 0.0 ? fit_now_s() + options->time_limit_s : 0.0,
        .progress = options->progress,
        .settling = {settings.choice, settings.rest_free, settings.rounds, settings.outlier},
    };
    return settings;
}

/* The rigid skinning that regions stand for, and the transformations that suit it best. */
static Status regions_take(Fit *fit, const int32_t *regions, double *squared_error)
{
    Descent *descent = &fit->descent;
    for (int j = 0; j < descent->vertex_count; j++) {
        descent->bones[(ptrdiff_t)j * descent->influence_count] = regions[j];
        descent->weights[(ptrdiff_t)j * descent->influence_count] = 1.0;
    }
    return transformations_solve(descent, squared_error);
}

/* Seeds and the regions around them: grown by deformation gradient as in the paper, which a cloth that folds
 * misleads, or, where the preset looks at both and they turn out the better, of the nearest seed. */
static Status fit_seed(Fit *fit, double *squared_error)
{
    Descent *descent = &fit->descent;
    SeedingInput seeding = {fit->input->mesh, fit->input->animation, &fit->reduction,
                            descent->rest,    fit->units.unit,       descent->squared_norms};
    Seeds seeds = {0};
    double nearest_error = 0.0;
    int32_t *regions = memory_array((size_t)descent->vertex_count, sizeof(int32_t));
    int32_t *nearest = memory_array((size_t)descent->vertex_count, sizeof(int32_t));
    Status status;
    if (!regions || !nearest) {
        status = status_out_of_memory("the regions of the bones");
        goto done;
    }
    STATUS_TRY(seeds_place(fit->input->mesh, descent->rest, descent->bone_count, &seeds));
    descent->bone_count = seeds.count;
    if (fit->settings.rigid) {
        STATUS_TRY(rigid_make(&fit->rigid, fit->input->animation->frame_count, seeds.count,
                              fit->reduction.basis, fit->units.unit));
        descent->rigid = &fit->rigid;
    }
    STATUS_TRY(regions_grow(&seeding, &seeds, regions));
    if (fit->settings.nearest_too) {
        seeds_nearest(&seeds, descent->rest, descent->vertex_count, nearest);
        STATUS_TRY(regions_take(fit, nearest, &nearest_error));
    }
    STATUS_TRY(regions_take(fit, regions, squared_error));
    if (fit->settings.nearest_too && nearest_error < *squared_error)
        STATUS_TRY(regions_take(fit, nearest, squared_error));
done:
    seeds_clear(&seeds);
    memory_free(regions);
    memory_free(nearest);
    return status;
}

/* Notes the error reached after `iteration` sweeps. */
static void fit_note(Fit *fit, int iteration)
{
    fit->result->squared_error[iteration] = fit->sweeper.squared_error + fit->reduction.residual;
    fit->result->elapsed_s[iteration] = fit_now_s() - fit->started_s;
    fit->result->iteration_count = iteration;
}

static bool fit_is_exact(const Fit *fit)
{
    /* The target's own coordinates are rounded to float, by up to half a unit of the last place. */
    double rounding = 1.0 / (1 << 24);
    double error = fit->result->squared_error[fit->result->iteration_count];
    return error <= rounding * rounding * fit->reduction.total;
}

static Status fit_start(Fit *fit)
{
    int vertices = fit->input->mesh->vertex_count;
    int bones = fit->options->bones < vertices ? fit->options->bones : vertices;
    double squared_error = 0.0;
    Status status;
    STATUS_TRY(reduction_make(fit->input->animation, vertices, &fit->settings.reduction, &fit->reduction));
    fit->result->reduction_s = fit_now_s() - fit->started_s;
    STATUS_TRY(descent_allocate(&fit->descent, vertices, bones, fit->options->influences,
                                fit->reduction.dimension, fit->reduction.coordinates));
    fit->descent.solver = (TransformSolver)fit->options->parameters[P_SOLVER];
    fit->units = rest_normalize(fit->input->mesh, fit->descent.rest);
    memcpy(fit->descent.first_rest, fit->descent.rest, 3 * (size_t)vertices * sizeof(double));
    if (!progress_report(fit->options->progress, "regions", 0.4)) {
        status = status_make(STATUS_STOPPED, "stopped before there was a model");
        goto done;
    }
    STATUS_TRY(fit_seed(fit, &squared_error));
    if (fit->settings.smoothing > 0.0) {
        STATUS_TRY(smoothing_make(&fit->smoothing, fit->input->mesh, fit->options->influences,
                                  fit->settings.smoothing));
        fit->descent.smoothing = &fit->smoothing;
    }
    if (fit->settings.coarse.sweeps > 0)
        STATUS_TRY(coarse_start(&fit->descent, &squared_error, &fit->settings.coarse));
    STATUS_TRY(sweeper_make(&fit->sweeper, &fit->descent, squared_error, fit->settings.window));
    fit_note(fit, 0);
    fit->result->reduced_dimension = fit->reduction.dimension;
    fit->result->initialization_s = fit->result->elapsed_s[0];
done:
    return status;
}

/* How the bones are chosen in a sweep: the mixed choice only settles, so the first sweeps explore. */
static BoneChoice choice_of_sweep(const Fit *fit, int iteration)
{
    bool exploring = fit->settings.choice == CHOICE_MIXED && iteration <= fit->settings.explore;
    return exploring ? CHOICE_PREDICTION : fit->settings.choice;
}

static Status fit_sweep(Fit *fit, int iteration)
{
    BoneChoice choice = choice_of_sweep(fit, iteration);
    bool settling = choice == fit->settings.choice;
    SweepOptions sweep = {choice, fit->settings.rest_free, settling ? fit->settings.rounds : 1,
                          settling ? fit->settings.outlier : 0.0};
    Status status = sweeper_sweep(&fit->sweeper, &sweep, settling);
    fit_note(fit, iteration);
    return status;
}

/* Whether the last sweeps brought nothing: a fixed point, not a plateau. */
static bool fit_is_settled(const Fit *fit, int iteration)
{
    enum { SWEEPS = 5 };
    const double *errors = fit->result->squared_error;
    return iteration > fit->settings.explore + SWEEPS &&
           fabs(errors[iteration - SWEEPS] - errors[iteration]) <= 1e-9 * errors[iteration];
}

/* Sweeps until something ends it. */
static Status fit_sweeps(Fit *fit)
{
    const DecompositionOptions *options = fit->options;
    FitEnd *end = &fit->result->end;
    *end = FIT_ITERATION_CAP;
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        if (fit_is_exact(fit)) {
            *end = FIT_EXACT;
            break;
        }
        if (fit_is_settled(fit, iteration - 1)) {
            *end = FIT_COMPLETE;
            break;
        }
        if (options->time_limit_s > 0.0 && fit_now_s() - fit->started_s >= options->time_limit_s) {
            *end = FIT_TIME_LIMIT;
            break;
        }
        if (!progress_report(options->progress, "sweeps",
                             0.6 + 0.4 * (iteration - 1) / options->iterations)) {
            *end = FIT_STOPPED;
            break;
        }
        Status status = fit_sweep(fit, iteration);
        if (status.code != STATUS_OK)
            return status;
    }
    progress_report(options->progress, "sweeps", 1.0);
    return status_ok();
}

static Status coordinate_descent_fit(const DecompositionInput *input, const DecompositionOptions *options,
                                     DecompositionResult *result)
{
    Fit fit = {.input = input,
               .options = options,
               .settings = settings_make(input, options),
               .started_s = fit_now_s(),
               .result = result};
    size_t points = (size_t)options->iterations + 1;
    result->bones_requested = options->bones;
    result->squared_error = memory_array(points, sizeof(double));
    result->elapsed_s = memory_array(points, sizeof(double));
    Status status;
    if (!result->squared_error || !result->elapsed_s) {
        status = status_out_of_memory("the record of errors");
        goto done;
    }
    STATUS_TRY(fit_start(&fit));
    STATUS_TRY(fit_sweeps(&fit));
    sweeper_unmix(&fit.sweeper);
    STATUS_TRY(fit_deliver(&fit));
    result->elapsed_s[result->iteration_count] = fit_now_s() - fit.started_s;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
done:
    sweeper_clear(&fit.sweeper);
    descent_clear(&fit.descent);
    rigid_clear(&fit.rigid);
    smoothing_clear(&fit.smoothing);
    reduction_clear(&fit.reduction);
    return status;
}

const DecompositionMethod coordinate_descent_method = {
    .name = "coordinate-descent",
    .title = "Coordinate descent",
    .citation =
        "Kavan, Sloan, O'Sullivan 2010, Fast and Efficient Skinning of Animated Meshes, sections 3 and 4",
    .parameters = parameters,
    .parameter_count = P_COUNT,
    .makes_rig = true,
    .fit = coordinate_descent_fit,
};

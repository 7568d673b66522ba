/* FESAM: skinning decomposition by coordinate descent in reduced coordinates, and its delivery as a rig in
 * the units of the input: T = B Tr (FESAM section 3). */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "datasets/model/evaluate.h"
#include "methods/decomposition/coordinate-descent/flat_rest.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"
#include "methods/decomposition/coordinate-descent/region_growing.h"
#include "methods/decomposition/coordinate-descent/schedule.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/seeds.h"
#include "methods/reduction/matrix_product.h"
#include "methods/reduction/reduction.h"
#include "methods/reduction/slabs.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { DELIVERY_BLOCK = 256 };

/* The rest pose as float, in the result and, so rounded, in the model. */
static void rest_round(FitState *fit)
{
    const RestUnits *units = &fit->units;
    float *rest = fit->result->rest + (ptrdiff_t)3 * fit->model.first_vertex;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * fit->model.vertex_count; i++) {
        double *v = &fit->model.rest[i];
        rest[i] = (float)(units->center[i % 3] + units->unit * *v);
        *v = ((double)rest[i] - units->center[i % 3]) / units->unit;
    }
}

/* The columns of a rigid bone's motion, [4][3F]. */
static void motion_gather(const RigidBones *rigid, int bone, int bone_count, double *map)
{
    ptrdiff_t rows = (ptrdiff_t)3 * rigid->frame_count;
    for (ptrdiff_t row = 0; row < rows; row++)
        for (int column = 0; column < 4; column++)
            map[column * rows + row] = rigid->motions[4 * (row * bone_count + bone) + column];
}

/* T = B Tr, bone by bone; rigid bones have it at hand. */
static Status transforms_restore(const FitState *fit, const int32_t *numbers, Rig *rig)
{
    const ReducedModel *model = &fit->model;
    int rows = fit->reduction.row_count, dimension = model->dimension;
    size_t workspace_size = 4 * (size_t)rows;
    double *workspace = memory_table((size_t)fit->model.threads, workspace_size, sizeof(double));
    if (!workspace)
        return status_out_of_memory("the bone transformations");
#pragma omp parallel for schedule(dynamic) num_threads(fit->model.threads)
    for (int bone = 0; bone < model->bone_count; bone++) {
        if (numbers[bone] < 0)
            continue;
        double *map = workspace + (size_t)omp_get_thread_num() * workspace_size;
        if (model->rigid)
            motion_gather(model->rigid, bone, model->bone_count, map);
        else
            matrix_multiply(4, rows, dimension, 1.0,
                            matrix_by_rows(model->transforms + (ptrdiff_t)4 * bone * dimension, dimension),
                            matrix_by_rows(fit->reduction.basis, rows), 0.0, map, rows);
        rig_fill_transforms(&fit->units, map, fit->reduction.offset, numbers[bone], rig);
    }
    memory_free(workspace);
    return status_ok();
}

/* Where vertex j of a frame is skinned to, less the target: squared. */
static double vertex_miss(const FitState *fit, const Slab *slab, int frame, int j)
{
    ptrdiff_t target = (ptrdiff_t)frame * slab->count + j - slab->first;
    int number = fit->model.first_vertex + j;
    Vec3 miss = vec3_scale(point_at(slab->positions, target), -1.0);
    miss = rig_skin_point(&fit->result->rig, frame, number, point_at(fit->result->rest, number), miss);
    return vec3_dot(miss, miss);
}

/* ||A - A'||^2 of the rig as it is delivered: rigid motions are not the optimum that makes what the reduction
 * left out orthogonal to them. */
static Status delivered_error(const FitState *fit, double *squared)
{
    const ReducedModel *model = &fit->model;
    Slabs *slabs = NULL;
    Slab slab = {0};
    double *misses = memory_array((size_t)model->vertex_count, sizeof(double));
    Status status = misses ? status_ok() : status_out_of_memory("the error of the vertices");
    if (status.code == STATUS_OK)
        STATUS_TRY(slabs_open(fit->input->animation, model->vertex_count, DELIVERY_BLOCK, &slabs));
    while (slabs) {
        STATUS_TRY(slabs_next(slabs, &slab));
        if (slab.count == 0)
            break;
#pragma omp parallel for schedule(static) num_threads(fit->model.threads)
        for (int first = slab.first; first < slab.first + slab.count; first += DELIVERY_BLOCK)
            for (int frame = 0; frame < fit->result->rig.frame_count; frame++)
                for (int j = first; j < slab.first + slab.count && j < first + DELIVERY_BLOCK; j++)
                    misses[j] += vertex_miss(fit, &slab, frame, j);
    }
    if (slabs)
        *squared = reduced_model_sum(model, misses);
done:
    slabs_close(slabs);
    memory_free(misses);
    return status;
}

/* Rest pose, influences and transformations become those of all ranks. */
static void rig_share(const FitState *fit)
{
    const ReducedModel *model = &fit->model;
    Rig *rig = &fit->result->rig;
    ptrdiff_t influences = rig->influence_count, first = model->first_vertex;
    int all = model->all_vertices;
    float *rest = fit->result->rest;
    ranks_gather(model->ranks, all, 3 * sizeof(float), rest + 3 * first, rest);
    ranks_gather(model->ranks, all, (size_t)influences * sizeof(int32_t),
                 rig->weight_joints + first * influences, rig->weight_joints);
    ranks_gather(model->ranks, all, (size_t)influences * sizeof(float),
                 rig->weight_values + first * influences, rig->weight_values);
    ranks_broadcast(model->ranks, rig->transforms,
                    (size_t)rig->frame_count * (size_t)rig->joint_count * sizeof(Transform));
}

/* Fallbacks of all ranks. */
static int singular_systems(const ReducedModel *model)
{
    double count = (double)model->singular_systems, rest = 0.0;
    ranks_sum(model->ranks, &count, &rest, 1);
    return (int)count;
}

/* Rounds rest pose and weights to the float of a data set, solves the transformations once more for what is
 * left, notes the error of exactly this model as the last one, and fills the result's rig and rest pose.
 * Bones without a vertex are left out: bones_delivered counts the others. */
static Status fit_deliver(FitState *fit)
{
    ReducedModel *model = &fit->model;
    DecompositionResult *result = fit->result;
    double squared = 0.0;
    int32_t *numbers = memory_array((size_t)model->bone_count, sizeof(int32_t));
    const LinearBlend blend = reduced_model_blend(model);
    Status status;
    if (!numbers) {
        status = status_out_of_memory("the bones");
        goto done;
    }
    STATUS_TRY(rig_begin(&blend, model->ranks, model->all_vertices, model->bone_count,
                         fit->input->animation->frame_count, numbers, &result->rig, &result->rest));
    result->bones_delivered = result->rig.joint_count;
    rest_round(fit);
    rig_fill_weights(model->bones, numbers, model->first_vertex, model->vertex_count, model->weights,
                     &result->rig);
    STATUS_TRY(transformations_solve(model, &squared));
    result->singular_systems = singular_systems(model);
    STATUS_TRY(transforms_restore(fit, numbers, &result->rig));
    rig_share(fit);
    if (model->rigid)
        STATUS_TRY(delivered_error(fit, &squared));
    result->squared_error[result->iteration_count] = squared + (model->rigid ? 0.0 : fit->reduction.residual);
done:
    memory_free(numbers);
    return status;
}

typedef enum DescentParameter {
    DESCENT_PRESET,
    DESCENT_REDUCE,
    DESCENT_THRESHOLD,
    DESCENT_STABILIZE,
    DESCENT_CENTER,
    DESCENT_CHOICE,
    DESCENT_EXPLORE,
    DESCENT_ROUNDS,
    DESCENT_WINDOW,
    DESCENT_COARSE,
    DESCENT_STARTS,
    DESCENT_TRIALS,
    DESCENT_REST,
    DESCENT_TRANSFORMS,
    DESCENT_SOLVER,
    DESCENT_SMOOTH,
    DESCENT_START,
    DESCENT_ORDER,
    DESCENT_PARAMETER_COUNT
} DescentParameter;

static const char *const preset_words[] = {
    "best", "", "paper", "reduce=max threshold=0.5 center=no choice=prediction rounds=1 window=0 coarse=0",
    NULL};
static const char *const reduce_words[] = {"gram", "max", "gs", "pm1", "pm2", "svd", NULL};
static const char *const choice_words[] = {"prediction", "greedy", "mixed", NULL};

static const char *const transforms_words[] = {"affine", "rigid", NULL};

static const char *const order_words[] = {"rest", "weights", NULL};

static const char *const solver_words[] = {"auto", "dense", "cholmod", NULL};

static const Parameter parameters[DESCENT_PARAMETER_COUNT] = {
    [DESCENT_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                        PARAMETER_PRESET, 0, 0, 0, preset_words},
    [DESCENT_REDUCE] = {"reduce", "strategy of the dimension reduction", PARAMETER_CHOICE, 0, 0, 0,
                        reduce_words},
    [DESCENT_THRESHOLD] = {"threshold",
                           "error of the reduction in units of E_RMS; 0: 0.1, of rigid bones 0.2",
                           PARAMETER_REAL, 0, 0, 1000, NULL},
    [DESCENT_STABILIZE] = {"stabilize", "the stabilising step of FESAM Algorithm 1", PARAMETER_FLAG, 1, 0, 0,
                           NULL},
    [DESCENT_CENTER] = {"center", "subtract each frame's mean before the reduction", PARAMETER_FLAG, 1, 0, 0,
                        NULL},
    [DESCENT_CHOICE] = {"choice", "how the bones of a vertex are chosen", PARAMETER_CHOICE, CHOICE_MIXED, 0,
                        0, choice_words},
    [DESCENT_EXPLORE] = {"explore", "sweeps with choice=prediction before the mixed choice settles",
                         PARAMETER_INTEGER, 0, 0, 1000, NULL},
    [DESCENT_ROUNDS] = {"rounds", "rest pose and weights per vertex and sweep, at most", PARAMETER_INTEGER, 8,
                        1, 20, NULL},
    [DESCENT_WINDOW] = {"window", "sweeps the acceleration remembers; 0: none", PARAMETER_INTEGER, 5, 0,
                        ACCELERATION_WINDOW_MAX, NULL},
    [DESCENT_COARSE] = {"coarse",
                        "sweeps over a sample of the vertices, of each start, as a head start; 0: none",
                        PARAMETER_INTEGER, 12, 0, 1000, NULL},
    [DESCENT_STARTS] =
        {"starts",
         "first regions that compete in the head start; -1: as many as the rest of the fit is worth",
         PARAMETER_INTEGER, -1, -1, 1000, NULL},
    [DESCENT_TRIALS] =
        {"trials", "trials of moved bones in the head start; -1: as many as the rest of the fit is worth",
         PARAMETER_INTEGER, -1, -1, 1000, NULL},
    [DESCENT_REST] = {"rest", "optimise the rest pose", PARAMETER_FLAG, 1, 0, 0, NULL},
    [DESCENT_TRANSFORMS] = {"transforms",
                            "affine bones, or rigid ones: a rotation and a translation per frame",
                            PARAMETER_CHOICE, 0, 0, 0, transforms_words},
    [DESCENT_SOLVER] = {"solver",
                        "of affine bones' normal equations; auto: CHOLMOD where bones are many and few meet",
                        PARAMETER_CHOICE, 0, 0, 0, solver_words},
    [DESCENT_SMOOTH] = {"smooth",
                        "E_RMS a vertex would pay not to differ from its neighbours by a whole weight",
                        PARAMETER_REAL, 0, 0, 1e6, NULL},
    [DESCENT_START] =
        {"start", "which triangle the seeds of the regions begin with, beside --seed; 0: an end of the mesh",
         PARAMETER_INTEGER, 0, 0, 1000000, NULL},
    [DESCENT_ORDER] = {"order", "what a sweep begins with; the transformations are last", PARAMETER_CHOICE, 0,
                       0, 0, order_words},
};

/* What the head start may spend: this share of the rest of the fit, and on small animations this much (about
 * a sixth of a second), as head_start.h counts. */
static const double HEAD_START_SHARE = 0.8, HEAD_START_LEAST = 3.5e5;

static Settings settings_make(const DecompositionInput *input, const DecompositionOptions *options)
{
    const double *values = options->parameters;
    bool paper = values[DESCENT_PRESET] != 0.0;
    bool rigid = values[DESCENT_TRANSFORMS] != 0.0;
    double threshold = values[DESCENT_THRESHOLD] > 0.0 ? values[DESCENT_THRESHOLD] : rigid ? 0.2 : 0.1;
    double entries = 3.0 * input->animation->frame_count * input->mesh->vertex_count;
    Settings settings = {
        .reduction = {.strategy = (ReductionStrategy)values[DESCENT_REDUCE],
                      .threshold = 1e-3 * threshold * input->unit_radius * sqrt(entries),
                      .stabilize = values[DESCENT_STABILIZE] != 0.0,
                      .center = values[DESCENT_CENTER] != 0.0,
                      .limit_s = 0.3 * options->time_limit_s,
                      .threads = options->threads,
                      .progress = options->progress,
                      .ranks = input->ranks},
        .settling = {.choice = (BoneChoice)values[DESCENT_CHOICE],
                     .rest_free = values[DESCENT_REST] != 0.0,
                     .weights_first = values[DESCENT_ORDER] != 0.0,
                     .rounds = (int)values[DESCENT_ROUNDS],
                     .extrapolate = values[DESCENT_WINDOW] > 0.0 && values[DESCENT_ORDER] == 0.0,
                     .outlier = paper ? 0.0 : 4.0},
        .explore = (int)values[DESCENT_EXPLORE],
        .window = (int)values[DESCENT_WINDOW],
        .nearest_too = !paper,
        .start = seeds_start(options->seed) + (uint64_t)values[DESCENT_START],
        .rigid = rigid,
        .leading = rigid || paper ? 0.0 : 0.12,
        .smoothing = pow(1e-3 * values[DESCENT_SMOOTH] * input->unit_radius, 2.0) * 3.0 *
                     input->animation->frame_count,
    };
    settings.head_start = (HeadStartOptions){
        .sweeps = (int)values[DESCENT_COARSE],
        .explore = (int)values[DESCENT_COARSE] / 2,
        .starts = (int)values[DESCENT_STARTS],
        .start = settings.start,
        .trials = (int)values[DESCENT_TRIALS],
        .trial_sweeps = settings.settling.choice != CHOICE_MIXED ? 0 : 8,
        .vertices_per_bone = 100,
        .tail = 0.1,
        .last_tail = 0.3,
        .window = settings.window,
        .progress = options->progress,
        .settling = settings.settling,
    };
    return settings;
}

/* The rigid skinning that regions stand for, and the transformations that suit it best. */
static Status regions_take(FitState *fit, const int32_t *regions, double *squared_error)
{
    ReducedModel *model = &fit->model;
    for (int j = 0; j < model->vertex_count; j++) {
        model->bones[(ptrdiff_t)j * model->influence_count] = regions[j];
        model->weights[(ptrdiff_t)j * model->influence_count] = 1.0;
    }
    return transformations_solve(model, squared_error);
}

/* rest [N][3] is that of all ranks' vertices. */
static void regions_nearest(const ReducedModel *model, const Seeds *seeds, const double *rest,
                            int32_t *nearest)
{
    enum { PIECE = 1024 };
#pragma omp parallel for schedule(static) num_threads(model->threads)
    for (int first = 0; first < model->vertex_count; first += PIECE)
        seeds_nearest(seeds, rest, model->first_vertex + first,
                      model->vertex_count - first < PIECE ? model->vertex_count - first : PIECE,
                      nearest + first);
}

/* Seeds on a mesh, or its vertices alone, in place of others; where the preset looks at them, the regions of
 * the nearest one, taken, and their error. */
static Status seeds_take(FitState *fit, const Mesh *mesh, int bones, const double *rest, Seeds *seeds,
                         int32_t *nearest, double *squared_error)
{
    ReducedModel *model = &fit->model;
    Status status;
    seeds_clear(seeds);
    STATUS_TRY(seeds_place(mesh, rest, bones, fit->settings.start, seeds));
    model->bone_count = seeds->count;
    if (fit->settings.rigid) {
        rigid_clear(&fit->rigid);
        STATUS_TRY(rigid_make(&fit->rigid, fit->input->animation->frame_count, seeds->count,
                              fit->reduction.basis, fit->units.unit));
        model->rigid = &fit->rigid;
    }
    if (fit->settings.nearest_too) {
        regions_nearest(model, seeds, rest, nearest);
        status = regions_take(fit, nearest, squared_error);
    }
done:
    return status;
}

/* Seeds and the regions around them: grown by deformation gradient as in the paper, which a cloth that folds
 * misleads, or, where the preset looks at both and they turn out the better, of the nearest seed; these alone
 * where growing would take much of a time limit. rest [N][3] is that of all ranks' vertices. */
static Status fit_seed(FitState *fit, const double *rest, double *squared_error)
{
    static const double TIMES = 10.0,
                        SHARE = 0.06; /* growing takes about this many times as long, and may so much */
    ReducedModel *model = &fit->model;
    RegionGrowing growing = {.mesh = fit->input->mesh,
                             .animation = fit->input->animation,
                             .reduction = &fit->reduction,
                             .rest = rest,
                             .rest_unit = fit->units.unit,
                             .squared_norms = model->squared_norms,
                             .ranks = model->ranks,
                             .threads = model->threads};
    const Mesh points = {.vertex_count = model->all_vertices};
    const double limit_s = fit->options->time_limit_s;
    const int bones = model->bone_count;
    bool are_grown = !fit->settings.nearest_too || limit_s <= 0.0;
    Seeds seeds = {0};
    double nearest_error = 0.0, started = clock_now_s();
    int32_t *regions = memory_array((size_t)model->all_vertices, sizeof(int32_t));
    int32_t *nearest = memory_array((size_t)model->vertex_count, sizeof(int32_t));
    Status status = status_ok();
    STATUS_TRY(regions && nearest ? status_ok() : status_out_of_memory("the regions of the bones"));
    if (!are_grown) {
        STATUS_TRY(seeds_take(fit, &points, bones, rest, &seeds, nearest, &nearest_error));
        are_grown = ranks_decide(fit->input->ranks, TIMES * (clock_now_s() - started) < SHARE * limit_s);
    }
    if (are_grown) {
        STATUS_TRY(seeds_take(fit, fit->input->mesh, bones, rest, &seeds, nearest, &nearest_error));
        STATUS_TRY(regions_grow(&growing, &seeds, regions));
    }
    fit->result->clustering_s = clock_now_s() - started;
    *squared_error = nearest_error;
    if (are_grown)
        STATUS_TRY(regions_take(fit, regions + model->first_vertex, squared_error));
    if (fit->settings.nearest_too && nearest_error < *squared_error)
        STATUS_TRY(regions_take(fit, nearest, squared_error));
done:
    seeds_clear(&seeds);
    memory_free(regions);
    memory_free(nearest);
    return status;
}

/* What a fit takes but for the head start, as head_start.h counts; trials of moved bones go on for as long as
 * all sweeps, so more of those than a good many do not count. */
static double fit_cost(const FitState *fit)
{
    int sweeps = fit->options->iterations < 15    ? 15
                 : fit->options->iterations > 200 ? 200
                                                  : fit->options->iterations;
    return reduction_cost(fit->reduction.row_count, fit->model.all_vertices) +
           sweeps * sweep_cost(fit->model.all_vertices, fit->model.bone_count, fit->model.dimension);
}

/* What the head start may spend. Within a time limit only its deadline ends it early, so that with more time
 * the same trials, and then others, are made. */
static double head_start_budget(const FitState *fit)
{
    return fit->options->time_limit_s > 0.0 ? INFINITY
                                            : fmax(HEAD_START_SHARE * fit_cost(fit), HEAD_START_LEAST);
}

static void fit_guess_sweep(FitState *fit)
{
    const ReducedModel *model = &fit->model;
    fit->sweep_s = fit->settings.head_start.unit_s *
                   sweep_cost(model->all_vertices, model->bone_count, model->dimension);
}

/* The search on a sample, and what it finds for all vertices, of as many leading dimensions as the sweeps
 * over them will need. */
static Status fit_head_start(FitState *fit, double *squared_error)
{
    const HeadStartOptions *options = &fit->settings.head_start;
    const bool searching = options->sweeps > 0;
    HeadStart *start = NULL;
    Status status = status_ok();
    if (searching)
        STATUS_TRY(head_start_search(&fit->model, *squared_error, options, &start, squared_error,
                                     &fit->settings.head_start.unit_s));
    if (fit->settings.leading > 0.0 && (start || !searching))
        STATUS_TRY(fit_choose_leading(fit, fit->settings.leading, *squared_error));
    if (searching)
        STATUS_TRY(
            head_start_spread(start, options, &fit->model, squared_error, &fit->settings.head_start.unit_s));
    else if (fit->settings.leading > 0.0)
        STATUS_TRY(transformations_solve(&fit->model, squared_error));
done:
    head_start_free(start);
    return status;
}

static Status fit_start(FitState *fit)
{
    int vertices = fit->input->mesh->vertex_count;
    int bones = fit->options->bones < vertices ? fit->options->bones : vertices;
    double squared_error = 0.0, *rest = NULL;
    Status status;
    STATUS_TRY(reduction_init(fit->input->animation, vertices, &fit->settings.reduction, &fit->reduction));
    fit->result->reduction_s = clock_now_s() - fit->started_s;
    fit->result->passes = fit->reduction.passes;
    fit->result->read_s = fit->reduction.read_s;
    fit->result->waited_s = fit->reduction.waited_s;
    STATUS_TRY(reduced_model_allocate(&fit->model, fit->input->ranks, vertices, bones,
                                      fit->options->influences, fit->reduction.dimension,
                                      fit->options->threads, fit->reduction.coordinates));
    fit->model.solver = (TransformSolver)fit->options->parameters[DESCENT_SOLVER];
    rest = memory_table((size_t)vertices, 3, sizeof(double));
    if (!rest) {
        status = status_out_of_memory("the rest pose");
        goto done;
    }
    fit->units = rest_normalize(fit->input->mesh, rest);
    size_t rest_bytes = 3 * (size_t)fit->model.vertex_count * sizeof(double);
    memcpy(fit->model.rest, rest + (ptrdiff_t)3 * fit->model.first_vertex, rest_bytes);
    memcpy(fit->model.first_rest, fit->model.rest, rest_bytes);
    if (fit->settings.leading > 0.0 && fit->settings.settling.rest_free)
        flat_rest_leave(rest, vertices, fit->model.first_vertex, fit->model.vertex_count, fit->model.rest);
    if (!progress_report(fit->options->progress, "regions", 0.4)) {
        status = status_make(STATUS_STOPPED, "stopped before there was a model");
        goto done;
    }
    STATUS_TRY(fit_seed(fit, rest, &squared_error));
    memory_free(rest);
    rest = NULL;
    fit->settings.head_start.budget = head_start_budget(fit);
    if (fit->settings.smoothing > 0.0) {
        STATUS_TRY(smoothing_make(&fit->smoothing, fit->input->mesh, fit->options->influences,
                                  fit->settings.smoothing));
        fit->model.smoothing = &fit->smoothing;
    }
    if (fit->options->time_limit_s > 0.0) {
        fit->settings.head_start.limit_s = fit->started_s + fit->options->time_limit_s;
        STATUS_TRY(
            head_start_measure(&fit->model, &fit->settings.settling, &fit->settings.head_start.unit_s));
    }
    STATUS_TRY(fit_head_start(fit, &squared_error));
    STATUS_TRY(alternation_make(&fit->alternation, &fit->model, squared_error, fit->settings.window));
    fit_guess_sweep(fit);
    fit_record(fit, 0, squared_error);
    fit->result->reduced_dimension = fit->reduction.dimension;
    fit->result->initialization_s = fit->result->elapsed_s[0];
done:
    memory_free(rest);
    return status;
}

static Status coordinate_descent_fit(const DecompositionInput *input, const DecompositionOptions *options,
                                     DecompositionResult *result)
{
    FitState fit = {.input = input,
                    .options = options,
                    .settings = settings_make(input, options),
                    .started_s = clock_now_s(),
                    .result = result};
    Status status;
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(fit_start(&fit));
    STATUS_TRY(schedule_run(&fit));
    alternation_unmix(&fit.alternation);
    fit_take_all_dimensions(&fit);
    STATUS_TRY(fit_deliver(&fit));
    result->elapsed_s[result->iteration_count] = clock_now_s() - fit.started_s;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
done:
    memory_free(fit.leading);
    alternation_clear(&fit.alternation);
    reduced_model_clear(&fit.model);
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
    .parameter_count = DESCENT_PARAMETER_COUNT,
    .makes_rig = true,
    .reads_blocks = true,
    .over_ranks = true,
    .fit = coordinate_descent_fit,
};

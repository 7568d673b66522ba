/* FESAM: skinning decomposition by coordinate descent in reduced coordinates. This file defines its
 * parameters and starts and ends a fit. */
#include "datasets/model/evaluate.h"
#include "methods/decomposition/coordinate-descent/delivery.h"
#include "methods/decomposition/coordinate-descent/flat_rest.h"
#include "methods/decomposition/coordinate-descent/ladder.h"
#include "methods/decomposition/coordinate-descent/merged_regions.h"
#include "methods/decomposition/coordinate-descent/region_growing.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/fitting/skin_fit.h"

typedef enum DescentParameter {
    DESCENT_PRESET,
    DESCENT_REDUCE,
    DESCENT_THRESHOLD,
    DESCENT_STABILIZE,
    DESCENT_CENTER,
    DESCENT_CHOICE,
    DESCENT_ROUNDS,
    DESCENT_WINDOW,
    DESCENT_SEARCH,
    DESCENT_STAGES,
    DESCENT_REST,
    DESCENT_TRANSFORMS,
    DESCENT_SOLVER,
    DESCENT_SMOOTH,
    DESCENT_START,
    DESCENT_ORDER,
    DESCENT_SEEDS,
    DESCENT_REGIONS,
    DESCENT_REST_POSE,
    DESCENT_PARAMETER_COUNT
} DescentParameter;

static const char *const preset_words[] = {
    "best", "", "paper",
    "reduce=max threshold=0.5 center=no choice=prediction rounds=1 window=0 search=no rest-pose=first", NULL};
static const char *const choice_words[] = {"prediction", "greedy", "mixed", NULL};
static const char *const transforms_words[] = {"affine", "rigid", NULL};
static const char *const order_words[] = {"rest", "weights", NULL};
static const char *const seeds_words[] = {"straight", "edges", NULL};
static const char *const regions_words[] = {"grown", "sma", "sad", "cpca", "merged", NULL};
static const char *const solver_words[] = {"auto", "dense", "cholmod", NULL};

static const Parameter parameters[DESCENT_PARAMETER_COUNT + 1] = {
    [DESCENT_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                        PARAMETER_PRESET, 0, 0, 0, preset_words},
    [DESCENT_REDUCE] = {"reduce", "how the dimension reduction chooses its basis", PARAMETER_CHOICE, 0, 0, 0,
                        reduction_strategy_names},
    [DESCENT_THRESHOLD] =
        {"threshold",
         "maximum error of the reduction in units of E_RMS; 0 means 0.04, or 0.08 for rigid bones",
         PARAMETER_REAL, 0, 0, 1000, NULL},
    [DESCENT_STABILIZE] = {"stabilize", "carry out the stabilising step of FESAM Algorithm 1 (line 5)",
                           PARAMETER_FLAG, 1, 0, 0, NULL},
    [DESCENT_CENTER] = {"center", "subtract the mean position of each frame before the reduction",
                        PARAMETER_FLAG, 1, 0, 0, NULL},
    [DESCENT_CHOICE] = {"choice", "how the bones of a vertex are chosen", PARAMETER_CHOICE, CHOICE_MIXED, 0,
                        0, choice_words},
    [DESCENT_ROUNDS] =
        {"rounds", "maximum number of rounds per vertex and sweep; a round updates rest position and weights",
         PARAMETER_INTEGER, 8, 1, 20, NULL},
    [DESCENT_WINDOW] = {"window", "number of past sweeps that acceleration uses; 0: no acceleration",
                        PARAMETER_INTEGER, 5, 0, ACCELERATION_WINDOW_MAX, NULL},
    [DESCENT_SEARCH] =
        {"search", "yes: search for better models in stages; no: one sweep per iteration, without search",
         PARAMETER_FLAG, 1, 0, 0, NULL},
    [DESCENT_STAGES] =
        {"stages", "number of stages; stage k makes 2^k iterations; 0: as many as iterations and time allow",
         PARAMETER_INTEGER, 0, 0, 30, NULL},
    [DESCENT_REST] = {"rest", "optimise the rest pose", PARAMETER_FLAG, 1, 0, 0, NULL},
    [DESCENT_TRANSFORMS] = {"transforms",
                            "affine bones, or rigid bones (a rotation and a translation in each frame)",
                            PARAMETER_CHOICE, 0, 0, 0, transforms_words},
    [DESCENT_SOLVER] = {"solver",
                        "solver of the equations of affine bones; auto: CHOLMOD if there are many bones and "
                        "few share vertices",
                        PARAMETER_CHOICE, 0, 0, 0, solver_words},
    [DESCENT_SMOOTH] = {"smooth",
                        "penalty, as an E_RMS, for a vertex whose weights differ by 1 from its neighbours'",
                        PARAMETER_REAL, 0, 0, 1e6, NULL},
    [DESCENT_START] =
        {"start",
         "selects, together with --seed, the first seed of the regions; 0: one at an end of the mesh",
         PARAMETER_INTEGER, 0, 0, 1000000, NULL},
    [DESCENT_ORDER] = {"order", "what a sweep updates first; it updates the transformations last",
                       PARAMETER_CHOICE, 0, 0, 0, order_words},
    [DESCENT_SEEDS] = {"seeds", "distance by which seeds are spread: straight, or along edges",
                       PARAMETER_CHOICE, 0, 0, 0, seeds_words},
    [DESCENT_REGIONS] = {"regions",
                         "regions of the first model: grown around seeds, another method's clusters, or "
                         "merged (hierarchical clustering)",
                         PARAMETER_CHOICE, 0, 0, 0, regions_words},
    [DESCENT_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

static Settings settings_make(const DecompositionInput *input, const DecompositionOptions *options)
{
    const double *values = options->parameters;
    const bool paper = values[DESCENT_PRESET] != 0.0, rigid = values[DESCENT_TRANSFORMS] != 0.0;
    const int stages = (int)values[DESCENT_STAGES];
    const double unset = rigid ? 0.08 : 0.04,
                 threshold = values[DESCENT_THRESHOLD] > 0.0 ? values[DESCENT_THRESHOLD] : unset;
    const double entries = 3.0 * input->animation->frame_count * input->mesh->vertex_count;
    return (Settings){
        .reduction = {.strategy = (ReductionStrategy)values[DESCENT_REDUCE],
                      .threshold = 1e-3 * threshold * input->unit_radius * sqrt(entries),
                      .stabilize = values[DESCENT_STABILIZE] != 0.0,
                      .center = values[DESCENT_CENTER] != 0.0,
                      .threads = options->threads,
                      .progress = options->progress,
                      .ranks = input->ranks},
        .update = {.choice = (BoneChoice)values[DESCENT_CHOICE],
                   .rest_free = values[DESCENT_REST] != 0.0,
                   .weights_first = values[DESCENT_ORDER] != 0.0,
                   .rounds = (int)values[DESCENT_ROUNDS],
                   .extrapolate = values[DESCENT_WINDOW] > 0.0 && values[DESCENT_ORDER] == 0.0,
                   .outlier = paper ? 0.0 : 4.0},
        .iterations = stages > 0 && stages < 30 && (1 << stages) - 1 < options->iterations
                          ? (1 << stages) - 1
                          : options->iterations,
        .window = (int)values[DESCENT_WINDOW],
        .search = values[DESCENT_SEARCH] != 0.0,
        .start = seeds_start(options->seed) + (uint64_t)values[DESCENT_START],
        .seeding = values[DESCENT_SEEDS] != 0.0 ? SEEDS_ALONG_EDGES
                   : paper                      ? SEEDS_STRAIGHT
                                                : SEEDS_BY_PLACE,
        .clusters = values[DESCENT_REGIONS] > 0.0 ? regions_words[(int)values[DESCENT_REGIONS]] : NULL,
        .rigid = rigid,
        .smoothing = pow(1e-3 * values[DESCENT_SMOOTH] * input->unit_radius, 2.0) * 3.0 *
                     input->animation->frame_count,
    };
}

/* Gets the regions from a clustering by another method (FESAM section 4.1 tried mean shift and clustered
 * PCA). The region of a vertex is its bone of largest weight or, without a rig, its cluster. Empty clusters
 * are dropped. */
static Status regions_of_method(const FitState *fit, const char *method, int32_t *regions, int *count)
{
    const int vertices = fit->input->mesh->vertex_count;
    const char *preset = strcmp(method, "cpca") == 0 ? NULL : "preset=paper";
    CLEANUP(decomposition_result_clear) DecompositionResult result = {0};
    STATUS_TRY(
        decomposition_fit_other("coordinate-descent", method, preset, fit->input, fit->options, &result));
    LOCAL_ARRAY(int32_t, numbers, result.bones_delivered, "the regions of the bones");
    for (int j = 0; j < vertices; j++) {
        double max = 0.0;
        regions[j] = result.rig.joint_count > 0 ? rig_heaviest_joint(&result.rig, j) : 0;
        for (int row = 0; row < result.low_rank.rank; row++) {
            const double size = fabs((double)result.low_rank.coefficients[(ptrdiff_t)row * vertices + j]);
            if (size > max) {
                max = size;
                regions[j] = row * result.bones_delivered / result.low_rank.rank;
            }
        }
        numbers[regions[j]] = 1;
    }
    *count = 0;
    for (int bone = 0; bone < result.bones_delivered; bone++)
        numbers[bone] = numbers[bone] ? (*count)++ : -1;
    for (int j = 0; j < vertices; j++)
        regions[j] = numbers[regions[j]];
    return status_ok();
}

/* Replaces the model's regions [n] by the regions `tried` if that lowers the error. */
static Status regions_try(ReducedModel *model, const int32_t *tried, int32_t *regions, double *squared_error)
{
    double tried_error = 0.0;
    reduced_model_set_regions(model, tried);
    STATUS_TRY(transformations_solve(model, &tried_error));
    if (tried_error < *squared_error) {
        *squared_error = tried_error;
        memcpy(regions, tried, (size_t)model->vertex_count * sizeof *regions);
        return status_ok();
    }
    reduced_model_set_regions(model, regions);
    return transformations_solve(model, squared_error);
}

/* Places seeds and grows a region around each of them. The regions are the first model. As in the paper,
 * regions grow by deformation gradients, which folding cloth misleads. Except with preset=paper, each
 * vertex is therefore also assigned to its nearest seed and, if the mesh is not connected, to a seed placed
 * by motion. The regions with the smallest error are used. rest [N][3] is the rest pose of all ranks. */
static Status fit_seed(FitState *fit, const double *rest)
{
    ReducedModel *model = &fit->model;
    const double begun_s = clock_now_s();
    double squared_error = 0.0;
    CLEANUP(seeds_clear) Seeds seeds = {0};
    LOCAL_ARRAY(int32_t, grown, model->all_vertices, "the regions of the bones");
    if (fit->settings.clusters && strcmp(fit->settings.clusters, "merged") == 0) {
        if (ranks_are_many(fit->input->ranks))
            return bad_usage("coordinate-descent: regions=merged cannot divide a fit among processes");
        STATUS_TRY(merged_regions_make(fit->input->mesh, fit->input->animation, model->bone_count, grown,
                                       &model->bone_count));
    } else if (fit->settings.clusters) {
        STATUS_TRY(regions_of_method(fit, fit->settings.clusters, grown, &model->bone_count));
    } else {
        STATUS_TRY(seeds_place(fit->input->mesh, rest, fit->settings.seeding, model->bone_count,
                               fit->settings.start, &seeds));
        model->bone_count = seeds.count;
    }
    if (fit->settings.rigid) {
        STATUS_TRY(rigid_make(&fit->rigid, fit->input->animation->frame_count, model->bone_count,
                              fit->reduction.basis, fit->units.unit));
        model->rigid = &fit->rigid;
    }
    if (!fit->settings.clusters)
        STATUS_TRY(regions_grow(fit, rest, &seeds, grown));
    int32_t *regions = grown + model->first_vertex;
    reduced_model_set_regions(model, regions);
    fit->result->clustering_s = clock_now_s() - begun_s;
    STATUS_TRY(transformations_solve(model, &squared_error));
    LOCAL_ARRAY(int32_t, tried, model->vertex_count, "the regions of the bones");
    if (fit->settings.search && !fit->settings.clusters) {
        enum { PIECE = 1024 };
#pragma omp parallel for schedule(static) num_threads(model->threads)
        for (int first = 0; first < model->vertex_count; first += PIECE)
            seeds_nearest(&seeds, rest, model->first_vertex + first,
                          int_min(model->vertex_count - first, PIECE), tried + first);
        STATUS_TRY(regions_try(model, tried, regions, &squared_error));
    }
    /* the connected components of a mesh in pieces may be rigid */
    bool one_piece = true;
    if (fit->settings.search)
        STATUS_TRY(mesh_in_one_piece(fit->input->mesh, &one_piece));
    if (!one_piece) {
        STATUS_TRY(motion_seeds_place(fit, rest, model->bone_count, tried));
        STATUS_TRY(regions_try(model, tried, regions, &squared_error));
    }
    fit->result->squared_error[0] = squared_error + fit->reduction.residual;
    fit->result->elapsed_s[0] = fit->result->initialization_s = clock_now_s() - fit->started_s;
    return status_ok();
}

/* Reduces the animation and builds the first model. If the full reduction would be slow, the fit begins with
 * a coarse one: a few directions, found from a few hundred vertices. */
static Status fit_start(FitState *fit)
{
    enum { VERTICES = 400, DIRECTIONS = 128 };
    static const double QUICK = 3e4; /* a reduction with this much work takes about 15 ms */
    const int rows = 3 * fit->input->animation->frame_count, vertices = fit->input->mesh->vertex_count;
    ReductionOptions reducing = fit->settings.reduction;
    const int bones = int_min(fit->options->bones, vertices);
    if (fit->settings.search && reducing.strategy == REDUCTION_GRAM && vertices >= 2 * VERTICES &&
        (1.06e-4 * vertices + 3.4e-4 * rows) * rows * rows > QUICK) {
        fit->coarseness = 2;
        reducing.every = vertices / VERTICES;
        reducing.dimension_max = DIRECTIONS;
    }
    STATUS_TRY(reduction_init(fit->input->animation, vertices, &reducing, &fit->reduction));
    fit->result->reduction_s = clock_now_s() - fit->started_s;
    STATUS_TRY(reduced_model_allocate(&fit->model, fit->input->ranks, vertices, bones,
                                      fit->options->influences, fit->reduction.dimension,
                                      fit->options->threads, fit->reduction.coordinates));
    fit->model.solver = (TransformSolver)fit->options->parameters[DESCENT_SOLVER];
    LOCAL_TABLE(double, rest, vertices, 3, "the rest pose");
    fit->units = rest_normalize(fit->input->mesh, rest);
    const size_t rest_bytes = 3 * (size_t)fit->model.vertex_count * sizeof(double);
    memcpy(fit->model.rest, rest + (ptrdiff_t)3 * fit->model.first_vertex, rest_bytes);
    memcpy(fit->model.first_rest, fit->model.rest, rest_bytes);
    if (fit->settings.search && !fit->settings.rigid && fit->settings.update.rest_free)
        flat_rest_leave(rest, vertices, fit->model.first_vertex, fit->model.vertex_count, fit->model.rest);
    STATUS_TRY(decomposition_ask(fit->options, "regions", 0.0));
    STATUS_TRY(fit_seed(fit, rest));
    if (fit->settings.smoothing > 0.0) {
        STATUS_TRY(smoothing_make(&fit->smoothing, fit->input->mesh, fit->options->influences,
                                  fit->settings.smoothing));
        fit->model.smoothing = &fit->smoothing;
    }
    return status_ok();
}

static void fit_clear(FitState *fit)
{
    memory_free(fit->leading);
    alternation_clear(&fit->alternation);
    reduced_model_clear(&fit->model);
    rigid_clear(&fit->rigid);
    smoothing_clear(&fit->smoothing);
    reduction_clear(&fit->reduction);
}

static Status coordinate_descent_fit(const DecompositionInput *input, const DecompositionOptions *options,
                                     DecompositionResult *result)
{
    CLEANUP(fit_clear)
    FitState fit = {.input = input,
                    .options = options,
                    .settings = settings_make(input, options),
                    .started_s = clock_now_s(),
                    .result = result};
    STATUS_TRY(decomposition_result_begin(result, options->bones, fit.settings.iterations));
    STATUS_TRY(fit_start(&fit));
    STATUS_TRY(ladder_run(&fit));
    double singular = (double)fit.model.singular_systems, rest = 0.0;
    ranks_sum(input->ranks, &singular, &rest, 1);
    result->singular_systems = (int)singular;
    result->passes = fit.reduction.passes;
    result->read_s = fit.reduction.read_s;
    result->waited_s = fit.reduction.waited_s;
    result->reduced_dimension = fit.reduction.dimension;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
    return status_ok();
}

const DecompositionMethod coordinate_descent_method = {
    .name = "coordinate-descent",
    .title = "Coordinate descent",
    .citation =
        "Kavan, Sloan, O'Sullivan 2010, Fast and Efficient Skinning of Animated Meshes, sections 3 and 4",
    .summary = "Improves weights, bones and rest pose in turn, each as a least-squares problem on a reduced "
               "animation.",
    .parameters = parameters,
    .rest_pose_row = DESCENT_REST_POSE,
    .makes_rig = true,
    .reads_blocks = true,
    .bounds_itself = true,
    .over_ranks = true,
    .fit = coordinate_descent_fit,
};

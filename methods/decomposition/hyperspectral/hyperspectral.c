/* Hyperspectral inverse skinning (Liu, Tan, Deng and Gingold 2020). The flat of a vertex is the affine
 * subspace of all transformations that move it as in the animation. Finds one flat nearest to the flats of
 * all vertices, then a point on it for each vertex, and the smallest simplex around these points. The
 * corners of the simplex are the bones. */
#include "datasets/geometry/topology.h"
#include "methods/decomposition/hyperspectral/flats.h"
#include "methods/fitting/acceleration.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

typedef enum HyperspectralParameter {
    HYPERSPECTRAL_PRESET,
    HYPERSPECTRAL_START,
    HYPERSPECTRAL_WINDOW,
    HYPERSPECTRAL_REDUCTION,
    HYPERSPECTRAL_ROUNDS,
    HYPERSPECTRAL_REST_POSE,
    HYPERSPECTRAL_PARAMETER_COUNT
} HyperspectralParameter;

static const char *const preset_words[] = {"best", "", "paper", "start=neighbourhoods window=0", NULL};

enum { START_LINEAR, START_NEIGHBOURHOODS };
static const char *const start_words[] = {"linear", "neighbourhoods", NULL};

static const Parameter parameters[HYPERSPECTRAL_PARAMETER_COUNT + 1] = {
    [HYPERSPECTRAL_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                              PARAMETER_PRESET, 0, 0, 0, preset_words},
    [HYPERSPECTRAL_START] = {"start",
                             "first flat: from weights that are linear in the trajectories, or from the maps "
                             "of neighbourhoods",
                             PARAMETER_CHOICE, 0, 0, 0, start_words},
    [HYPERSPECTRAL_WINDOW] = {"window",
                              "number of past iterations that acceleration uses; 0: no acceleration",
                              PARAMETER_INTEGER, 5, 0, ACCELERATION_WINDOW_MAX, NULL},
    [HYPERSPECTRAL_REDUCTION] = {"reduction", "maximum error of the dimension reduction in units of E_RMS",
                                 PARAMETER_REAL, 0.005, 0, 1e9, NULL},
    [HYPERSPECTRAL_ROUNDS] =
        {"rounds",
         "number of rounds that solve for weights and bones in turn, if influences are fewer than bones",
         PARAMETER_INTEGER, 5, 0, 1000, NULL},
    [HYPERSPECTRAL_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

static const double SUM_PENALTY = 1000.0; /* penalty on the deviation of the sum of weights from 1, relative
                                             to the mean square of the predictions */

/* Converts the bones from reduced coordinates to all frames and stores them in the fit: their maps [4H][d]
 * times the basis [d][3F]. */
static void bones_deliver(const Flats *flats, const Reduction *reduction, SkinFit *fit)
{
    const int rows = reduction->row_count, d = flats->dimension;
    fit->bone_count = flats->handle_count;
    matrix_multiply(4 * fit->bone_count, rows, d, 1.0, matrix_by_rows(flats->maps, d),
                    matrix_by_rows(reduction->basis, rows), 0.0, fit->maps, rows);
}

/* Makes weights from the vertices' coordinates in the simplex of bones. If a vertex may have all bones,
 * these coordinates are its weights. Otherwise picks the few bones of smallest error for each vertex, and
 * then solves for weights and bones alternately. */
static Status weights_deliver(Flats *flats, const Reduction *reduction, const DecompositionOptions *options,
                              double started_s, SkinFit *fit, DecompositionResult *result)
{
    const int handles = flats->handle_count, influences = fit->influence_count,
              rounds = (int)options->parameters[HYPERSPECTRAL_ROUNDS];
    for (int v = 0; v < flats->vertex_count && handles <= influences; v++)
        for (int h = 0; h < handles; h++) {
            fit->bones[(ptrdiff_t)v * influences + h] = h;
            fit->weights[(ptrdiff_t)v * influences + h] = flats->shares[(ptrdiff_t)v * handles + h];
        }
    for (int round = 0; round <= rounds && handles > influences; round++) {
        if (round > 0 && decomposition_must_end(options, started_s, result->iteration_count, "weights",
                                                0.9 + 0.1 * round / (rounds + 1), &result->end))
            break;
        STATUS_TRY(skin_fit_weights(fit, true, SUM_PENALTY, 0.0));
        memset(flats->shares, 0, (size_t)flats->vertex_count * (size_t)handles * sizeof *flats->shares);
        for (int v = 0; v < flats->vertex_count; v++)
            for (int k = 0; k < influences; k++)
                flats->shares[(ptrdiff_t)v * handles + fit->bones[(ptrdiff_t)v * influences + k]] +=
                    fit->weights[(ptrdiff_t)v * influences + k];
        STATUS_TRY(flats_maps(flats, NULL));
        bones_deliver(flats, reduction, fit);
    }
    return status_ok();
}

/* Finds the first flat, and its error. The flat of weights that are linear in the trajectories is replaced by
 * the flat of the neighbourhoods' maps if that has less than half of its error, which can happen if there are
 * too few frames. */
static Status flat_start(Flats *flats, const Mesh *mesh, const Grouping *corners, bool linear,
                         double *squared_error)
{
    const size_t size = 4 * (size_t)flats->handle_count * (size_t)flats->dimension;
    const int handles = flats->handle_count;
    LOCAL_ARRAY(double, maps, size, "the first flat");
    bool found = false;
    double linear_error = INFINITY;
    if (linear)
        STATUS_TRY(flats_linear_shares(flats, &found));
    if (found) {
        STATUS_TRY(flats_maps(flats, NULL));
        STATUS_TRY(flats_shares(flats, &linear_error));
        memcpy(maps, flats->maps, size * sizeof *maps);
    }
    STATUS_TRY(flats_span(flats, mesh->triangles, corners));
    STATUS_TRY(flats_shares(flats, squared_error));
    if (!(linear_error < 4.0 * *squared_error))
        return status_ok();
    flats->handle_count = handles;
    memcpy(flats->maps, maps, size * sizeof *maps);
    return flats_shares(flats, squared_error);
}

/* Alternates between the coordinates of the vertices and the flat, accelerated. An accelerated flat with a
 * larger error is replaced by the flat of the last iteration. */
static Status flat_improve(Flats *flats, const DecompositionOptions *options, double residual,
                           double started_s, double squared_error, DecompositionResult *result)
{
    const size_t size = 4 * (size_t)flats->handle_count * (size_t)flats->dimension;
    CLEANUP(acceleration_clear) Acceleration acceleration = {0};
    LOCAL_ARRAY(double, point, size, "the accelerated steps of the simplex");
    LOCAL_ARRAY(double, image, size, "the accelerated steps of the simplex");
    LOCAL_ARRAY(double, gradient, size, "the accelerated steps of the simplex");
    STATUS_TRY(acceleration_make(&acceleration, (int)options->parameters[HYPERSPECTRAL_WINDOW], size));
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        double tried_error = 0.0;
        if (decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                   0.2 + 0.7 * (iteration - 1) / options->iterations, &result->end))
            break;
        memcpy(point, flats->maps, size * sizeof *point);
        STATUS_TRY(flats_maps(flats, gradient));
        memcpy(image, flats->maps, size * sizeof *image);
        acceleration_next(&acceleration, point, image, gradient);
        memcpy(flats->maps, point, size * sizeof *point);
        STATUS_TRY(flats_shares(flats, &tried_error));
        if (acceleration.count > 0 && !(tried_error < squared_error)) {
            acceleration_reset(&acceleration);
            memcpy(flats->maps, image, size * sizeof *image);
            STATUS_TRY(flats_shares(flats, &tried_error));
        }
        squared_error = tried_error;
        decomposition_result_record(result, iteration, squared_error + residual, started_s);
    }
    return status_ok();
}

static Status hyperspectral_fit(const DecompositionInput *input, const DecompositionOptions *options,
                                DecompositionResult *result)
{
    const double started_s = clock_now_s();
    const int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(grouping_clear) Grouping corners = {0};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    const ReductionOptions reduce = {.strategy = REDUCTION_GRAM,
                                     .threshold = options->parameters[HYPERSPECTRAL_REDUCTION] *
                                                  input->unit_radius / 1000.0 * sqrt(3.0 * frames * vertices),
                                     .center = true,
                                     .threads = options->threads,
                                     .progress = options->progress};
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(reduction_init(input->animation, vertices, &reduce, &reduction));
    STATUS_TRY(corners_at_vertices(input->mesh->triangles, input->mesh->triangle_count, vertices, &corners));
    result->reduced_dimension = reduction.dimension;
    result->reduction_s = clock_now_s() - started_s;

    /* find the affine subspace (flat) from the maps of the neighbourhoods */
    const int d = reduction.dimension, handles = int_min(int_min(options->bones, vertices), 4 * d + 1);
    LOCAL_TABLE(double, maps, (size_t)handles * 4, d, "the bones");
    LOCAL_TABLE(double, shares, vertices, handles, "the weights of the vertices");
    ALLOCATE_TABLE(fit.maps, (size_t)handles * 4, reduction.row_count, "the bones");
    Flats flats = {.vertex_count = vertices,
                   .dimension = d,
                   .handle_count = handles,
                   .threads = options->threads,
                   .rest = fit.rest,
                   .targets = reduction.coordinates,
                   .maps = maps,
                   .shares = shares};
    double squared_error = 0.0;
    STATUS_TRY(decomposition_ask(options, "the first flat", 0.1));
    STATUS_TRY(flat_start(&flats, input->mesh, &corners,
                          options->parameters[HYPERSPECTRAL_START] == START_LINEAR, &squared_error));
    decomposition_result_record(result, 0, squared_error + reduction.residual, started_s);
    result->initialization_s = clock_now_s() - started_s;
    result->end = FIT_ITERATION_CAP;
    STATUS_TRY(flat_improve(&flats, options, reduction.residual, started_s, squared_error, result));

    /* make a simplex around the points; its corners are the bones */
    STATUS_TRY(flats_span(&flats, NULL, NULL));
    STATUS_TRY(flats_shares(&flats, &squared_error));
    STATUS_TRY(flats_enclose(&flats, flats.handle_count > fit.influence_count));
    bones_deliver(&flats, &reduction, &fit);
    STATUS_TRY(weights_deliver(&flats, &reduction, options, started_s, &fit, result));
    fit.singular_systems = flats.singular_systems;
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[result->iteration_count]));
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod hyperspectral_method = {
    .name = "hyperspectral",
    .title = "Hyperspectral inverse skinning",
    .citation = "Liu, Tan, Deng and Gingold 2020, Hyperspectral Inverse Skinning",
    .summary = "Finds bones as corners of a simplex that encloses the transformations of all vertices.",
    .parameters = parameters,
    .rest_pose_row = HYPERSPECTRAL_REST_POSE,
    .makes_rig = true,
    .fit = hyperspectral_fit,
};

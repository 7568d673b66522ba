/* Hyperspectral inverse skinning (Liu, Tan, Deng and Gingold 2020). The flat of a vertex is the affine
 * subspace of all transformations that move it as in the animation. Finds one flat nearest to the flats of
 * all vertices, then a point on it for each vertex, and the smallest simplex around these points. The
 * corners of the simplex are the bones. */
#include "datasets/geometry/topology.h"
#include "methods/decomposition/hyperspectral/flats.h"
#include "methods/fitting/skin_weights.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

typedef enum HyperspectralParameter {
    HYPERSPECTRAL_REDUCTION,
    HYPERSPECTRAL_ROUNDS,
    HYPERSPECTRAL_REST_POSE,
    HYPERSPECTRAL_PARAMETER_COUNT
} HyperspectralParameter;

static const Parameter parameters[HYPERSPECTRAL_PARAMETER_COUNT + 1] = {
    [HYPERSPECTRAL_REDUCTION] = {"reduction", "maximum error of the dimension reduction in units of E_RMS",
                                 PARAMETER_REAL, 0.02, 0, 1e9, NULL},
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
        STATUS_TRY(skin_fit_weights(fit, true, SUM_PENALTY));
        memset(flats->shares, 0, (size_t)flats->vertex_count * (size_t)handles * sizeof *flats->shares);
        for (int v = 0; v < flats->vertex_count; v++)
            for (int k = 0; k < influences; k++)
                flats->shares[(ptrdiff_t)v * handles + fit->bones[(ptrdiff_t)v * influences + k]] +=
                    fit->weights[(ptrdiff_t)v * influences + k];
        STATUS_TRY(flats_maps(flats));
        bones_deliver(flats, reduction, fit);
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
    STATUS_TRY(decomposition_ask(options, "neighbourhoods", 0.1));
    STATUS_TRY(flats_span(&flats, input->mesh->triangles, &corners));
    STATUS_TRY(flats_shares(&flats, &squared_error));
    decomposition_result_record(result, 0, squared_error + reduction.residual, started_s);
    result->initialization_s = clock_now_s() - started_s;
    result->end = FIT_ITERATION_CAP;
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        if (decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                   0.2 + 0.7 * (iteration - 1) / options->iterations, &result->end))
            break;
        STATUS_TRY(flats_maps(&flats));
        STATUS_TRY(flats_shares(&flats, &squared_error));
        decomposition_result_record(result, iteration, squared_error + reduction.residual, started_s);
    }

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

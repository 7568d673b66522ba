/* Template of a decomposition method: a complete small fit. Clusters of vertices that move alike give the
 * bones (k-means whose centres are motions), and non-negative least squares gives the weights. Replace this
 * comment with a description of your method. */
#include "methods/fitting/fitting.h"

enum { TRANSFORMS, PARAMETER_COUNT };
static const char *const transforms_choices[] = {"rigid", "affine", NULL};
static const Parameter parameters[PARAMETER_COUNT + 1] = {
    [TRANSFORMS] = {"transforms", "whether bones move rigidly or by affine maps", PARAMETER_CHOICE, 0, 0, 0,
                    transforms_choices},
};

/* Step 1: divides the vertices into clusters, each around one of P seeds that are spread over the mesh. */
static Status clusters_begin(const SkinFit *fit, const DecompositionOptions *options, int32_t *cluster_of)
{
    CLEANUP(seeds_clear) Seeds seeds = {0};
    STATUS_TRY(seeds_place(fit->input->mesh, fit->rest, SEEDS_STRAIGHT, options->bones,
                           seeds_start(options->seed), &seeds));
    seeds_nearest(&seeds, fit->rest, 0, fit->vertex_count, cluster_of);
    return status_ok();
}

/* Step 2: each cluster becomes a bone, which follows the best motion of its vertices in every frame. Each
 * vertex then joins the bone that predicts it best. */
static Status clusters_move(SkinFit *fit, const DecompositionOptions *options, int32_t *cluster_of)
{
    CLEANUP(groups_clear) Groups groups = {0};
    LOCAL_ARRAY(double, errors, fit->vertex_count, "the clusters");
    STATUS_TRY(groups_of_vertices(cluster_of, fit->vertex_count, options->bones, &groups));
    STATUS_TRY(skin_fit_maps(fit, &groups, options->parameters[TRANSFORMS] == 0.0));
    return skin_fit_assign(fit, cluster_of, errors);
}

static Status template_fit(const DecompositionInput *input, const DecompositionOptions *options,
                           DecompositionResult *result)
{
    const double started_s = clock_now_s(), SUM_PENALTY = 1e3; /* keeps sums of weights near 1 */
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(kept_fit_clear) KeptFit best = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    LOCAL_ARRAY(int32_t, cluster_of, fit.vertex_count, "the clusters");
    STATUS_TRY(clusters_begin(&fit, options, cluster_of));
    result->end = FIT_ITERATION_CAP;
    for (int iteration = 0; iteration <= options->iterations; iteration++) {
        double squared_error = 0.0;
        if (iteration > 0 &&
            decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                   (double)(iteration - 1) / options->iterations, &result->end))
            break;
        STATUS_TRY(clusters_move(&fit, options, cluster_of));
        /* Step 3: the bones that predict a vertex best blend it. Iterations may raise the error, so the best
         * fit is kept. */
        STATUS_TRY(skin_fit_weights(&fit, false, SUM_PENALTY, 0.0));
        STATUS_TRY(skin_fit_error(&fit, &squared_error));
        STATUS_TRY(skin_fit_keep(&fit, &squared_error, &best));
        decomposition_result_record(result, iteration, squared_error, started_s);
    }
    skin_fit_return(&best, &fit);
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[result->iteration_count]));
    result->initialization_s = result->elapsed_s[0];
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

/* See methods/fitting/decomposition_method.h for what else a method may define, such as a low-rank model
 * instead of a rig. */
const DecompositionMethod template_method = {
    .name = "template",
    .title = "Clusters of motion",
    .citation = "none: an example for authors",
    .parameters = parameters,
    .makes_rig = true,
    .fit = template_fit,
};

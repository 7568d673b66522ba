/* Template of a decomposition method. For each of P seeds, one rigid bone moves the vertices nearest to
 * that seed. Replace this comment with a description of your method. */
#include "methods/fitting/group_maps.h"
#include "methods/fitting/seeds.h"

/* Makes one bone for each seed. The bone follows the best rigid motion of the vertices nearest to the seed,
 * which have weight 1. */
static Status parts_fit(SkinFit *fit, const DecompositionOptions *options)
{
    CLEANUP(seeds_clear) Seeds seeds = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    LOCAL_ARRAY(int32_t, part_of, fit->vertex_count, "the parts");
    STATUS_TRY(seeds_place(fit->input->mesh, fit->rest, SEEDS_STRAIGHT, options->bones,
                           seeds_start(options->seed), &seeds));
    seeds_nearest(&seeds, fit->rest, 0, fit->vertex_count, part_of);
    STATUS_TRY(groups_of_vertices(part_of, fit->vertex_count, seeds.count, &groups));
    STATUS_TRY(skin_fit_maps(fit, &groups, true));
    for (ptrdiff_t vertex = 0; vertex < fit->vertex_count; vertex++) {
        fit->bones[vertex * fit->influence_count] = part_of[vertex];
        fit->weights[vertex * fit->influence_count] = 1.0;
    }
    return status_ok();
}

static Status template_fit(const DecompositionInput *input, const DecompositionOptions *options,
                           DecompositionResult *result)
{
    const double started_s = clock_now_s();
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(parts_fit(&fit, options));
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[0]));
    result->end = FIT_COMPLETE;
    result->elapsed_s[0] = result->initialization_s = clock_now_s() - started_s;
    return status_ok();
}

/* See methods/fitting/decomposition_method.h for what else a method may define: parameters, iterations
 * whose errors are recorded, or a low-rank model instead of a rig. */
const DecompositionMethod template_method = {
    .name = "template",
    .title = "Rigid parts around seeds",
    .citation = "none: an example for authors",
    .makes_rig = true,
    .fit = template_fit,
};

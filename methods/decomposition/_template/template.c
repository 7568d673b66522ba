/* Rigid parts: the vertices nearest to each of P seeds follow one rigid motion. Replace this by what the
 * method is. */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/group_maps.h"
#include "methods/fitting/seeds.h"
#include "methods/fitting/skin_fit.h"

/* One bone for the vertices nearest to each seed: its rigid motion of least squared error, weight 1. */
static Status parts_fit(SkinFit *fit, const DecompositionOptions *options)
{
    Seeds seeds = {0};
    Groups groups = {0};
    int32_t *part_of = memory_array((size_t)fit->vertex_count, sizeof *part_of);
    Status status;
    if (!part_of) {
        status = status_out_of_memory("the parts");
        goto done;
    }
    STATUS_TRY(seeds_place(fit->input->mesh, fit->rest, options->bones, seeds_start(options->seed), &seeds));
    seeds_nearest(&seeds, fit->rest, 0, fit->vertex_count, part_of);
    STATUS_TRY(groups_of_vertices(part_of, fit->vertex_count, seeds.count, &groups));
    STATUS_TRY(skin_fit_maps(fit, &groups, true));
    for (ptrdiff_t vertex = 0; vertex < fit->vertex_count; vertex++) {
        fit->bones[vertex * fit->influence_count] = part_of[vertex];
        fit->weights[vertex * fit->influence_count] = 1.0;
    }
done:
    seeds_clear(&seeds);
    groups_clear(&groups);
    memory_free(part_of);
    return status;
}

static Status template_fit(const DecompositionInput *input, const DecompositionOptions *options,
                           DecompositionResult *result)
{
    const double started_s = clock_now_s();
    SkinFit fit = {0};
    Status status;
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(parts_fit(&fit, options));
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[0]));
    result->end = FIT_COMPLETE;
    result->elapsed_s[0] = result->initialization_s = clock_now_s() - started_s;
done:
    skin_fit_clear(&fit);
    return status;
}

/* methods/fitting/decomposition_method.h says what else a method may have: parameters, iterations with a
 * record of errors, a low-rank model in place of a rig. */
const DecompositionMethod template_method = {
    .name = "template",
    .title = "Rigid parts around seeds",
    .citation = "the template of methods/decomposition/_template",
    .makes_rig = true,
    .fit = template_fit,
};

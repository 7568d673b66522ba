/* SAD: bones spread evenly over the rest pose, weights by non-negative least squares, and the transformations
 * that are best for them by one sparse least-squares system. */
#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "methods/decomposition/sad/sparse_transformations.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/group_maps.h"
#include "methods/fitting/seeds.h"
#include "methods/fitting/skin_delivery.h"
#include "methods/fitting/skin_fit.h"
#include "methods/fitting/skin_weights.h"

typedef enum SadParameter { SAD_ROUNDS, SAD_PENALTY, SAD_PARAMETER_COUNT } SadParameter;

static const Parameter parameters[SAD_PARAMETER_COUNT] = {
    [SAD_ROUNDS] = {"rounds", "further rounds of weights and transformations after the published one",
                    PARAMETER_INTEGER, 0, 0, 1000, NULL},
    [SAD_PENALTY] = {"penalty", "on weights that do not sum to 1, in mean squares of the bones' predictions",
                     PARAMETER_REAL, 10, 0, 1e9, NULL},
};

typedef struct Sad {
    const DecompositionOptions *options;
    double started_s;
    SkinFit fit;
    DecompositionResult *result;
} Sad;

static bool sad_report(const Sad *sad, const char *what, double share)
{
    return progress_report(sad->options->progress, what, share);
}

/* Each bone follows the vertices nearest to its seed. */
static Status sad_seed(Sad *sad)
{
    SkinFit *fit = &sad->fit;
    const Mesh *mesh = fit->input->mesh;
    Seeds seeds = {0};
    Groups groups = {0};
    int32_t *group_of = memory_array((size_t)fit->vertex_count, sizeof(int32_t));
    Status status = status_ok();
    if (!group_of) {
        status = status_out_of_memory("the regions of the bones");
        goto done;
    }
    STATUS_TRY(seeds_place(mesh, fit->rest, sad->options->bones, &seeds));
    seeds_nearest(&seeds, fit->rest, fit->vertex_count, group_of);
    STATUS_TRY(groups_of_vertices(group_of, fit->vertex_count, seeds.count, &groups));
    status = skin_fit_maps(fit, &groups, false);
done:
    seeds_clear(&seeds);
    groups_clear(&groups);
    memory_free(group_of);
    return status;
}

/* Weights for the transformations, then the transformations best for the weights. */
static Status sad_round(Sad *sad, int round)
{
    DecompositionResult *result = sad->result;
    Status status;
    STATUS_TRY(skin_fit_weights(&sad->fit, sad->options->parameters[SAD_PENALTY]));
    STATUS_TRY(sparse_transformations_solve(&sad->fit));
    STATUS_TRY(skin_fit_error(&sad->fit, &result->squared_error[round]));
    result->elapsed_s[round] = clock_now_s() - sad->started_s;
    result->iteration_count = round;
done:
    return status;
}

static Status sad_rounds(Sad *sad)
{
    const DecompositionOptions *options = sad->options;
    int rounds = (int)options->parameters[SAD_ROUNDS];
    FitEnd *end = &sad->result->end;
    *end = rounds > options->iterations ? FIT_ITERATION_CAP : FIT_COMPLETE;
    for (int round = 1; round <= rounds && round <= options->iterations; round++) {
        if (decomposition_must_end(options, sad->started_s, "rounds", 0.5 + 0.5 * (round - 1) / rounds, end))
            break;
        Status status = sad_round(sad, round);
        if (status.code != STATUS_OK)
            return status;
    }
    return status_ok();
}

static Status sad_start(Sad *sad, const DecompositionInput *input)
{
    Status status;
    STATUS_TRY(skin_fit_make(input, sad->options, &sad->fit));
    if (!sad_report(sad, "bones", 0.1)) {
        status = status_make(STATUS_STOPPED, "stopped before there was a model");
        goto done;
    }
    STATUS_TRY(sad_seed(sad));
    sad->result->initialization_s = clock_now_s() - sad->started_s;
    if (!sad_report(sad, "weights and transformations", 0.3)) {
        status = status_make(STATUS_STOPPED, "stopped before there was a model");
        goto done;
    }
    status = sad_round(sad, 0);
done:
    return status;
}

static Status sad_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    Sad sad = {.options = options, .started_s = clock_now_s(), .result = result};
    Status status = status_ok();
    STATUS_TRY(decomposition_result_begin(result, options->bones, (int)options->parameters[SAD_ROUNDS]));
    STATUS_TRY(sad_start(&sad, input));
    STATUS_TRY(sad_rounds(&sad));
    STATUS_TRY(skin_fit_deliver(&sad.fit, result, &result->squared_error[result->iteration_count]));
    result->elapsed_s[result->iteration_count] = clock_now_s() - sad.started_s;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
    sad_report(&sad, "done", 1.0);
done:
    skin_fit_clear(&sad.fit);
    return status;
}

const DecompositionMethod sad_method = {
    .name = "sad",
    .title = "Skinning arbitrary deformations",
    .citation = "Kavan, McDonnell, Dobbyn, Žára, O'Sullivan 2007, Skinning Arbitrary Deformations",
    .parameters = parameters,
    .parameter_count = SAD_PARAMETER_COUNT,
    .makes_rig = true,
    .fit = sad_fit,
};

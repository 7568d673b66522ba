/* Smooth skinning decomposition with rigid bones (Le and Deng 2012): clusters vertices of similar motion,
 * then solves for weights and bones alternately. */
#include "datasets/geometry/topology.h"
#include "methods/decomposition/ssdr/ssdr_steps.h"
#include "methods/fitting/seeds.h"

typedef enum SsdrParameter {
    SSDR_TRANSFORMS,
    SSDR_ROUNDS,
    SSDR_SMOOTH,
    SSDR_SIGNIFICANCE,
    SSDR_SKELETON,
    SSDR_PRUNE,
    SSDR_REST_POSE,
    SSDR_PARAMETER_COUNT
} SsdrParameter;

static const char *const transforms_choices[] = {"rigid", "affine", NULL};

static const char *const skeleton_choices[] = {"no", "yes", NULL};

static const Parameter parameters[SSDR_PARAMETER_COUNT + 1] = {
    [SSDR_TRANSFORMS] = {"transforms", "whether bones move rigidly, or by affine maps (the paper's SSD)",
                         PARAMETER_CHOICE, 0, 0, 0, transforms_choices},
    [SSDR_ROUNDS] = {"rounds", "number of rounds over all bones in each iteration", PARAMETER_INTEGER, 5, 1,
                     1000, NULL},
    [SSDR_SMOOTH] = {"smooth",
                     "penalty, as an E_RMS, for a vertex whose weights differ by 1 from its neighbours'",
                     PARAMETER_REAL, 0, 0, 1e9, NULL},
    [SSDR_SIGNIFICANCE] = {"significance",
                           "a bone whose squared weights sum to less than this value is moved",
                           PARAMETER_REAL, 3, 0, 1e9, NULL},
    [SSDR_SKELETON] = {"skeleton",
                       "yes: bones get parents, and joints connect them to their parents (Le and Deng 2014)",
                       PARAMETER_CHOICE, 0, 0, 0, skeleton_choices},
    [SSDR_PRUNE] = {"prune",
                    "with a skeleton: remove bones whose motion relative to a parent is below this E_RMS",
                    PARAMETER_REAL, 0.05, 0, 1e9, NULL},
    [SSDR_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

static const double PULL = 0.1; /* strength of soft joints, relative to the mean mass of a bone */

static Status ssdr_fit(const DecompositionInput *input, const DecompositionOptions *options,
                       DecompositionResult *result)
{
    const double started_s = clock_now_s(),
                 cost = options->parameters[SSDR_SMOOTH] * input->unit_radius / 1000.0;
    const double smooth = cost * cost * 3.0 * input->animation->frame_count;
    const bool rigid = options->parameters[SSDR_TRANSFORMS] == 0.0;
    const bool with_skeleton = options->parameters[SSDR_SKELETON] != 0.0;
    const double moved = options->parameters[SSDR_PRUNE] * input->unit_radius / 1000.0;
    const double pruned = moved * moved * 3.0 * input->animation->frame_count * input->mesh->vertex_count;
    bool holds = false;
    CLEANUP(skeleton_clear) FitSkeleton skeleton = {0};
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(kept_fit_clear) KeptFit kept = {0};
    CLEANUP(grouping_clear) Grouping corners = {0};
    if (with_skeleton && !rigid)
        return bad_usage("ssdr: skeleton=yes requires transforms=rigid");
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(
        corners_at_vertices(input->mesh->triangles, input->mesh->triangle_count, fit.vertex_count, &corners));
    STATUS_TRY(decomposition_ask(options, "bones", 0.1));
    STATUS_TRY(motion_clusters_make(&fit, options->bones, rigid, seeds_start(options->seed)));
    STATUS_TRY(skin_fit_error(&fit, &result->squared_error[0]));
    decomposition_result_record(result, 0, result->squared_error[0], started_s);
    if (!with_skeleton && smooth == 0.0)
        STATUS_TRY(skin_fit_keep(&fit, &result->squared_error[0], &kept));
    result->initialization_s = result->clustering_s = clock_now_s() - started_s;
    result->end = FIT_ITERATION_CAP;
    for (int iteration = 1; iteration <= options->iterations; iteration++) {
        double squared_error = 0.0;
        if (decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                   0.2 + 0.8 * (iteration - 1) / options->iterations, &result->end))
            break;
        /* The first half of the iterations has no joints. The third quarter has soft joints, and the last
         * quarter has rigid joints. */
        const bool joined = with_skeleton && 2 * iteration > options->iterations;
        const bool held = with_skeleton && 4 * iteration > 3 * options->iterations;
        if (iteration > 1 && !joined)
            STATUS_TRY(insignificant_bones_move(&fit, rigid, options->parameters[SSDR_SIGNIFICANCE]));
        STATUS_TRY(convex_weights_solve(&fit, smooth, &corners));
        if (joined && (!held || !holds))
            STATUS_TRY(skeleton_make(&fit, &skeleton));
        if (joined && !held)
            STATUS_TRY(skeleton_prune(&fit, pruned, &skeleton));
        if (held && !holds)
            skeleton_hold(&skeleton, &fit);
        holds = held;
        STATUS_TRY(bone_transformations_solve(&fit, rigid, (int)options->parameters[SSDR_ROUNDS],
                                              joined ? &skeleton : NULL, held ? INFINITY : PULL));
        STATUS_TRY(skin_fit_error(&fit, &squared_error));
        /* Smooth weights and new joints increase the error on purpose. Models are therefore compared by
         * error only if weights are not smoothed and there are no joints, or once all joints are rigid. */
        if (smooth == 0.0 && (!with_skeleton || held))
            STATUS_TRY(skin_fit_keep(&fit, &squared_error, &kept));
        decomposition_result_record(result, iteration, squared_error, started_s);
    }
    skin_fit_return(&kept, &fit);
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[result->iteration_count]));
    if (with_skeleton)
        STATUS_TRY(skeleton_deliver(&skeleton, &fit, &result->rig));
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod ssdr_method = {
    .name = "ssdr",
    .title = "Smooth skinning decomposition",
    .citation = "Le and Deng 2012, Smooth Skinning Decomposition with Rigid Bones",
    .summary = "Fits rigid bones and sparse weights in turn.",
    .parameters = parameters,
    .rest_pose_row = SSDR_REST_POSE,
    .makes_rig = true,
    .fit = ssdr_fit,
};

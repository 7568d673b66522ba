/* Smooth skinning decomposition with rigid bones (Le and Deng 2012): clusters vertices of similar motion,
 * then solves for weights and bones alternately. */
#include "datasets/geometry/topology.h"
#include "methods/decomposition/ssdr/ssdr_steps.h"
#include "methods/fitting/acceleration.h"
#include "methods/fitting/seeds.h"

typedef enum SsdrParameter {
    SSDR_PRESET,
    SSDR_TRANSFORMS,
    SSDR_ROUNDS,
    SSDR_SMOOTH,
    SSDR_SIGNIFICANCE,
    SSDR_WINDOW,
    SSDR_TOLERANCE,
    SSDR_SKELETON,
    SSDR_PRUNE,
    SSDR_REST_POSE,
    SSDR_PARAMETER_COUNT
} SsdrParameter;

static const char *const transforms_choices[] = {"rigid", "affine", NULL};
static const char *const skeleton_choices[] = {"no", "yes", NULL};
static const char *const preset_words[] = {"best", "", "paper", "window=0 tolerance=0", NULL};

static const Parameter parameters[SSDR_PARAMETER_COUNT + 1] = {
    [SSDR_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                     PARAMETER_PRESET, 0, 0, 0, preset_words},
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
    [SSDR_WINDOW] = {"window", "number of past iterations that acceleration uses; 0: no acceleration",
                     PARAMETER_INTEGER, 5, 0, ACCELERATION_WINDOW_MAX, NULL},
    [SSDR_TOLERANCE] =
        {"tolerance",
         "end if twenty iterations change the squared error by less than this fraction; 0: never",
         PARAMETER_REAL, 0.02, 0, 1, NULL},
    [SSDR_SKELETON] = {"skeleton",
                       "yes: bones get parents, and joints connect them to their parents (Le and Deng 2014)",
                       PARAMETER_CHOICE, 0, 0, 0, skeleton_choices},
    [SSDR_PRUNE] = {"prune",
                    "with a skeleton: remove bones whose motion relative to a parent is below this E_RMS",
                    PARAMETER_REAL, 0.05, 0, 1e9, NULL},
    [SSDR_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

enum { PATIENCE = 20 };
static const double PULL = 0.1; /* strength of soft joints, relative to the mean mass of a bone */

/* Accelerates the iterations. The next iteration starts from maps that the last iterations predict. If their
 * error is not smaller, it starts from the maps of the last iteration. */
typedef struct BoneAcceleration {
    Acceleration steps;
    bool mixed;    /* whether the maps of the fit are predicted */
    double *point; /* [4P][3F] maps from which the last iteration started; NULL: no acceleration */
    KeptFit last;  /* maps, bones and weights after the last iteration */
} BoneAcceleration;

static void bone_acceleration_clear(BoneAcceleration *acceleration)
{
    acceleration_clear(&acceleration->steps);
    kept_fit_clear(&acceleration->last);
    memory_free(acceleration->point);
}

/* Solves for the weights, and undoes the acceleration if the error has not fallen below `last_error`. */
static Status weights_solve(BoneAcceleration *acceleration, SkinFit *fit, double smooth,
                            const Grouping *corners, double last_error)
{
    const size_t bytes = acceleration->steps.size * sizeof(double);
    double squared_error = 0.0;
    STATUS_TRY(convex_weights_solve(fit, smooth, corners));
    if (acceleration->mixed)
        STATUS_TRY(skin_fit_error(fit, &squared_error));
    if (acceleration->mixed && !(squared_error < last_error)) {
        acceleration_reset(&acceleration->steps);
        skin_fit_return(&acceleration->last, fit);
        STATUS_TRY(convex_weights_solve(fit, smooth, corners));
    }
    if (acceleration->point)
        memcpy(acceleration->point, fit->maps, bytes);
    return status_ok();
}

/* Predicts the maps from which the next iteration starts. */
static Status maps_predict(BoneAcceleration *acceleration, SkinFit *fit, bool rigid)
{
    acceleration->last.squared_error = INFINITY; /* any fit replaces the one before */
    STATUS_TRY(skin_fit_keep(fit, &(double){0.0}, &acceleration->last));
    acceleration_next(&acceleration->steps, acceleration->point, fit->maps, NULL);
    acceleration->mixed = acceleration->steps.count > 0;
    if (!acceleration->mixed)
        return status_ok();
    memcpy(fit->maps, acceleration->point, acceleration->steps.size * sizeof(double));
    return rigid ? bones_make_rigid(fit) : status_ok();
}

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
    const bool accelerates = smooth == 0.0 && options->parameters[SSDR_WINDOW] > 0.0;
    CLEANUP(bone_acceleration_clear) BoneAcceleration acceleration = {0};
    if (accelerates) {
        const size_t size = 4 * (size_t)fit.bone_count * (size_t)fit.target.row_count;
        STATUS_TRY(acceleration_make(&acceleration.steps, (int)options->parameters[SSDR_WINDOW], size));
        ALLOCATE(acceleration.point, size, "the acceleration of the bones");
    }
    /* With a skeleton, the first half of the iterations has no joints. The third quarter has soft joints, and
     * the last quarter has rigid joints. */
    int last = options->iterations, plain = with_skeleton ? last / 2 : last,
        soft = with_skeleton ? 3 * last / 4 : last;
    double last_error = result->squared_error[0];
    for (int iteration = 1; iteration <= last; iteration++) {
        double squared_error = 0.0;
        if (decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                   0.2 + 0.8 * (iteration - 1) / last, &result->end))
            break;
        const bool joined = iteration > plain, held = iteration > soft;
        STATUS_TRY(weights_solve(&acceleration, &fit, smooth, &corners, last_error));
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
        last_error = squared_error;
        /* Smooth weights and new joints increase the error on purpose. Models are therefore compared by
         * error only if weights are not smoothed and there are no joints, or once all joints are rigid. */
        if (smooth == 0.0 && (!with_skeleton || held))
            STATUS_TRY(skin_fit_keep(&fit, &squared_error, &kept));
        decomposition_result_record(result, iteration, squared_error, started_s);
        if (!joined && iteration >= PATIENCE &&
            fabs(squared_error - result->squared_error[iteration - PATIENCE]) <
                options->parameters[SSDR_TOLERANCE] * result->squared_error[iteration - PATIENCE]) {
            result->end = FIT_COMPLETE;
            plain = iteration;
            soft = plain + plain / 2;
            last = with_skeleton ? 2 * plain : plain;
        }
        bool reseeded = false;
        if (iteration < plain)
            STATUS_TRY(
                insignificant_bones_move(&fit, rigid, options->parameters[SSDR_SIGNIFICANCE], &reseeded));
        if (accelerates && iteration < plain && !reseeded) {
            STATUS_TRY(maps_predict(&acceleration, &fit, rigid));
        } else {
            acceleration_reset(&acceleration.steps);
            acceleration.mixed = false;
        }
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
    .iterations = 240,
    .fit = ssdr_fit,
};

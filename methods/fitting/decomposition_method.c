/* Records the progress of a fit, and checks the input of a fit and the table of a method. */
#include "methods/fitting/decomposition_method.h"

#include "datasets/model/validate.h"
#include "methods/fitting/frame_solve.h"
#include "methods/reduction/reduction.h"

const char *fit_end_name(FitEnd end)
{
    static const char *const names[] = {
        [FIT_COMPLETE] = "complete",     [FIT_ITERATION_CAP] = "iteration-cap",
        [FIT_TIME_LIMIT] = "time-limit", [FIT_AFTER_LIMIT] = "after-time-limit",
        [FIT_STOPPED] = "stopped",       [FIT_EXACT] = "exact",
    };
    return names[end];
}

const char *const rest_pose_choices[] = {"file", "first", NULL};

Status decomposition_input_check(const DecompositionInput *input)
{
    const Mesh *mesh = input->mesh;
    if (mesh->vertex_count < 1)
        return bad_input("the mesh has no vertices");
    if (mesh->vertex_count > INT32_MAX / 64)
        return bad_input("the mesh has %d vertices, expected at most %d", mesh->vertex_count, INT32_MAX / 64);
    int64_t bad = float_not_finite(mesh->rest, 3 * (int64_t)mesh->vertex_count);
    if (bad >= 0)
        return bad_input("rest pose: coordinate %d of vertex %d is not finite", (int)(bad % 3),
                         (int)(bad / 3));
    STATUS_TRY(mesh_corners_check(mesh));
    /* Checks this rank's part of an animation in memory. Positions in a file are checked when they are
     * read. */
    const Animation *animation = input->animation;
    const VertexShare share = ranks_share(input->ranks, mesh->vertex_count);
    const int64_t frame_size = 3 * (int64_t)share.count;
    if (animation->frame_count < 1)
        return bad_input("the animation has no frames");
    if (animation->frame_count > INT32_MAX / 64)
        return bad_input("the animation has %d frames, expected at most %d", animation->frame_count,
                         INT32_MAX / 64);
    bad = animation->positions ? float_not_finite(animation->positions, animation->frame_count * frame_size)
                               : -1;
    if (bad >= 0)
        return bad_input("frame %d: coordinate %d of vertex %d is not finite", (int)(bad / frame_size),
                         (int)(bad % 3), share.first + (int)(bad % frame_size / 3));
    if (!isfinite(input->unit_radius) || input->unit_radius < 0.0)
        return bad_input(
            "the radius of the ball around the first frame is %g, expected a finite number of at least 0",
            input->unit_radius);
    return status_ok();
}

Status decomposition_frame(const Ranks *ranks, const Animation *animation, int vertex_count, int frame,
                           float *positions)
{
    const VertexShare share = ranks_share(ranks, vertex_count);
    float *first = positions + (ptrdiff_t)3 * share.first;
    const PositionBlock block = {.first_frame = frame, .frames = 1, .vertices = share.count};
    const Status status = animation_block(animation, share.count, block, first);
    ranks_gather(ranks, vertex_count, 3 * sizeof *positions, first, positions);
    return status;
}

Status decomposition_result_begin(DecompositionResult *result, int bones, int iterations)
{
    size_t points = (size_t)iterations + 1;
    result->bones_requested = bones;
    ALLOCATE(result->squared_error, points, "the record of errors");
    ALLOCATE(result->elapsed_s, points, "the record of errors");
    return status_ok();
}

bool decomposition_must_end(const DecompositionOptions *options, double started_s, int made, const char *what,
                            double share, FitEnd *end)
{
    if (options->time_limit_s > 0.0 && clock_now_s() - started_s >= options->time_limit_s)
        *end = made > 0 ? FIT_TIME_LIMIT : FIT_AFTER_LIMIT;
    else if (!progress_report(options->progress, what, share))
        *end = FIT_STOPPED;
    else
        return false;
    return true;
}

Status decomposition_ask(const DecompositionOptions *options, const char *what, double share)
{
    return progress_report(options->progress, what, share)
               ? status_ok()
               : status_make(STATUS_STOPPED, "stopped before there was a model");
}

void decomposition_result_record(DecompositionResult *result, int iteration, double squared_error,
                                 double started_s)
{
    result->iteration_count = iteration;
    result->squared_error[iteration] = squared_error;
    result->elapsed_s[iteration] = clock_now_s() - started_s;
}

void decomposition_result_finish(DecompositionResult *result, const DecompositionOptions *options,
                                 double started_s)
{
    result->elapsed_s[result->iteration_count] = clock_now_s() - started_s;
    result->sweeps_s = result->elapsed_s[result->iteration_count] - result->initialization_s;
    progress_report(options->progress, "done", 1.0);
}

void decomposition_result_clear(DecompositionResult *result)
{
    rig_clear(&result->rig);
    low_rank_clear(&result->low_rank);
    FREE_ALL(result->rest, result->squared_error, result->elapsed_s);
    *result = (DecompositionResult){0};
}

Status decomposition_method_check(const DecompositionMethod *method, const char *registered_name)
{
    if (!name_is_plain(method->name))
        return bad_usage("method '%s': its name must consist of lower-case letters, digits and -",
                         method->name ? method->name : "");
    if (strcmp(method->name, registered_name) != 0)
        return bad_usage("method %s: its table is named '%s'; the two names must be the same",
                         registered_name, method->name);
    if (!method->title || !method->title[0] || !method->citation || !method->citation[0])
        return bad_usage("method %s: its table has no title or no citation", method->name);
    if (!method->fit)
        return bad_usage("method %s: its table has no function `fit`", method->name);
    STATUS_TRY(parameters_check(method->parameters, method->name));
    const int count = parameters_count(method->parameters);
    if (method->rest_pose_row < 0 || method->rest_pose_row >= int_max(count, 1) ||
        (method->rest_pose_row > 0 && method->parameters[method->rest_pose_row].choices != rest_pose_choices))
        return bad_usage("%s: rest_pose_row is not the row of a REST_POSE_PARAMETER", method->name);
    /* names of options that are stored next to a method's parameters; a parameter must not have such a
     * name */
    static const char *const taken[] = {"bones",        "influences", "iterations",
                                        "time_limit_s", "holdout",    "error"};
    for (int i = 0; i < count; i++)
        if (method->parameters[i].type == PARAMETER_ATTRIBUTE)
            return bad_usage("%s: the parameter '%s' names an attribute, which only direct methods may read",
                             method->name, method->parameters[i].name);
    for (int i = 0; i < count; i++)
        for (size_t t = 0; t < sizeof taken / sizeof *taken; t++)
            if (strcmp(method->parameters[i].name, taken[t]) == 0)
                return bad_usage("%s: the parameter '%s' has the name of an option that every fit has",
                                 method->name, taken[t]);
    return status_ok();
}

/* Returns how many numbers a player holds for a rig: per vertex its rest position, and weights and joints for
 * as many influences as any vertex uses; per bone and frame a quaternion and a translation if the bones are
 * rigid, and 12 numbers otherwise. If it takes less, transformations that are the identity are left out, and
 * each of the others has an index (compressed skinning). */
static size_t rig_size(const Rig *rig, int vertex_count)
{
    const Transform still = transform_translate(vec3_make(0.0, 0.0, 0.0));
    const size_t transforms = (size_t)rig->joint_count * (size_t)rig->frame_count;
    const size_t numbers = rig_is_rigid(rig) ? 7 : 12;
    size_t moving = 0, most = 0;
    for (size_t i = 0; i < transforms; i++)
        moving += memcmp(&rig->transforms[i], &still, sizeof still) != 0;
    for (size_t v = 0; v < (size_t)vertex_count; v++) {
        size_t used = 0;
        for (size_t k = 0; k < (size_t)rig->influence_count; k++)
            used += rig->weight_values[v * (size_t)rig->influence_count + k] != 0.0f;
        most = size_max(most, used);
    }
    return (size_t)vertex_count * (2 * most + 3) + size_min(numbers * transforms, (numbers + 1) * moving);
}

/* Returns the number of bytes of a model. A low-rank model (alone or as the correction of a rig) has its
 * basis and the coefficients of each vertex. The coefficients are counted in the smaller of two forms. The
 * first contains all coefficients; the second contains the non-zero ones, and one index per run of them. (A
 * vertex of CPCA has 4 coefficients and the index of its cluster.) A basis of displacements (EigenSkin) has
 * one factor per displacement and frame. */
size_t decomposition_size(const DecompositionResult *result, int vertex_count)
{
    const Rig *rig = &result->rig;
    const LowRank *model = &result->low_rank;
    size_t count = 0;
    if (rig->joint_count > 0)
        count += rig_size(rig, vertex_count);
    if (model->rank > 0) {
        size_t dense = (size_t)model->rank * (size_t)vertex_count;
        /* non-zero coefficients, plus one index per run of consecutive non-zero coefficients of a vertex */
        size_t sparse = 0, vertices = (size_t)vertex_count;
        for (size_t vertex = 0; vertex < vertices; vertex++) {
            bool inside = false;
            for (size_t k = 0; k < (size_t)model->rank; k++) {
                bool filled = model->coefficients[k * vertices + vertex] != 0.0f;
                sparse += filled ? (inside ? 1U : 2U) : 0U;
                inside = filled;
            }
        }
        size_t basis = (size_t)model->rank * (size_t)model->row_count;
        count += low_rank_is_of_displacements(model) ? basis / 9 : basis;
        count += sparse < dense ? sparse : dense;
    }
    return 4 * count;
}

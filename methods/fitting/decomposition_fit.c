/* Runs a fit: checks the input and options, calls the method or makes a model that needs no method, and
 * checks the result. */
#include "datasets/base/exact_sum.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/validate.h"
#include "datasets/model/welding.h"
#include "methods/fitting/skin_fit.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

/* Checks that a result is complete and consistent. */
static Status result_check(const DecompositionMethod *method, const DecompositionInput *input,
                           const DecompositionOptions *options, const DecompositionResult *result)
{
    const LowRank *low_rank = &result->low_rank;
    Dataset model = {.mesh = {.vertex_count = input->mesh->vertex_count,
                              .rest = result->rest ? result->rest : input->mesh->rest},
                     .rig = result->rig,
                     .low_rank = *low_rank};
    /* the record */
    if (!result->squared_error || !result->elapsed_s || result->iteration_count < 0)
        return status_make(
            STATUS_CHECK_FAILED,
            "%s: fit recorded no errors and times (decomposition_result_begin starts the record)",
            method->name);
    for (int i = 0; i <= result->iteration_count; i++)
        if (!isfinite(result->squared_error[i]) || !isfinite(result->elapsed_s[i]))
            return status_make(
                STATUS_CHECK_FAILED,
                "%s: after iteration %d the squared error is %g at %g s, expected finite numbers",
                method->name, i, result->squared_error[i], result->elapsed_s[i]);
    if (result->bones_requested != options->bones || result->bones_delivered < 1 ||
        result->bones_delivered > options->bones)
        return status_make(STATUS_CHECK_FAILED, "%s: fit delivered %d of %d bones, but %d were requested",
                           method->name, result->bones_delivered, result->bones_requested, options->bones);
    if (method->makes_rig) {
        /* check counts and pointers of the rig; dataset_validate checks its values */
        const Rig *rig = &result->rig;
        const int frames = input->animation->frame_count;
        if (rig->joint_count < 1 || !rig->transforms || !rig->weight_joints || !rig->weight_values ||
            !result->rest)
            return status_make(STATUS_CHECK_FAILED, "%s: makes_rig is set, but fit delivered no %s",
                               method->name, rig->joint_count > 0 && !result->rest ? "rest pose" : "rig");
        if (rig->joint_count != result->bones_delivered)
            return status_make(STATUS_CHECK_FAILED, "%s: fit delivered %d bones in a rig of %d joints",
                               method->name, result->bones_delivered, rig->joint_count);
        if (rig->frame_count != frames)
            return status_make(STATUS_CHECK_FAILED, "%s: fit delivered a rig of %d frames, expected %d",
                               method->name, rig->frame_count, frames);
        if (rig->influence_count < 1 || rig->influence_count > options->influences)
            return status_make(STATUS_CHECK_FAILED,
                               "%s: fit delivered %d influences per vertex, expected 1 to %d", method->name,
                               rig->influence_count, options->influences);
    } else if (result->rig.joint_count > 0 || low_rank->rank < 1)
        return status_make(STATUS_CHECK_FAILED, "%s: makes_rig is not set, but fit delivered %s",
                           method->name, result->rig.joint_count > 0 ? "a rig" : "no low-rank model");
    if (low_rank->rank > 0 && low_rank->row_count != 3 * input->animation->frame_count)
        return status_make(STATUS_CHECK_FAILED,
                           "%s: the basis of the low-rank model has %d rows, expected %d", method->name,
                           low_rank->row_count, 3 * input->animation->frame_count);
    STATUS_TRY(dataset_validate(&model, method->name));
    /* the weights */
    const double TOLERANCE = 1e-3; /* rounding each weight to float changes the sum by much less */
    const int weighted = result->rig.joint_count > 0 ? input->mesh->vertex_count : 0;
    for (ptrdiff_t vertex = 0; vertex < weighted; vertex++) {
        double sum = 0.0;
        for (int k = 0; k < result->rig.influence_count; k++)
            sum += (double)result->rig.weight_values[vertex * result->rig.influence_count + k];
        if (!(fabs(sum - 1.0) <= TOLERANCE))
            return status_make(STATUS_CHECK_FAILED, "%s: the weights of vertex %d sum to %g, expected 1",
                               method->name, (int)vertex, sum);
    }
    return status_ok();
}

/* Returns whether a parameter of this name exists and has the value `word`. */
static bool parameter_is(const DecompositionMethod *method, const double *values, const char *name,
                         const char *word)
{
    for (const Parameter *row = method->parameters; row && row->name; row++)
        if (strcmp(row->name, name) == 0)
            return strcmp(parameter_word(row, (int)values[row - method->parameters]), word) == 0;
    return false;
}

/* Makes a model with a bone for every vertex, which has no error. The bones only translate. */
static Status vertex_bones_fit(const DecompositionInput *input, DecompositionResult *result)
{
    const int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    Rig *rig = &result->rig;
    LOCAL_TABLE(float, positions, vertices, 3, "the bones");
    STATUS_TRY(decomposition_result_begin(result, vertices, 0));
    STATUS_TRY(rig_allocate(rig, vertices, vertices, frames, 1));
    ALLOCATE_TABLE(result->rest, vertices, 3, "the rest pose");
    memcpy(result->rest, input->mesh->rest, 3 * sizeof(float) * (size_t)vertices);
    for (int32_t v = 0; v < vertices; v++) {
        rig->weight_joints[v] = v;
        rig->weight_values[v] = 1.0f;
    }
    for (ptrdiff_t frame = 0; frame < frames; frame++) {
        STATUS_TRY(decomposition_frame(input->ranks, input->animation, vertices, (int)frame, positions));
        for (ptrdiff_t v = 0; v < vertices; v++) {
            const float *rest = result->rest + 3 * v, *position = positions + 3 * v;
            rig->transforms[frame * vertices + v] = (Transform){.m00 = 1.0,
                                                                .m11 = 1.0,
                                                                .m22 = 1.0,
                                                                .m03 = (double)position[0] - (double)rest[0],
                                                                .m13 = (double)position[1] - (double)rest[1],
                                                                .m23 = (double)position[2] - (double)rest[2]};
        }
    }
    result->bones_delivered = vertices;
    result->end = FIT_EXACT;
    return status_ok();
}

/* Replaces the model of a result by one bone for all vertices, affine or rigid, if that bone gives a smaller
 * error. Its error is at most the error of a mesh that stays at rest. The animation must be in memory, in a
 * single process. */
static Status single_bone_replace(const DecompositionInput *input, const DecompositionOptions *options,
                                  bool rigid, DecompositionResult *result)
{
    double squared_error = 0.0, *best = &result->squared_error[result->iteration_count];
    const int vertices = input->mesh->vertex_count;
    DecompositionOptions single = *options;
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    LOCAL_ARRAY(int32_t, group_of, vertices, "a single bone");
    single.influences = 1;
    STATUS_TRY(skin_fit_make(input, &single, &fit));
    STATUS_TRY(groups_of_vertices(group_of, vertices, 1, &groups));
    STATUS_TRY(skin_fit_maps(&fit, &groups, rigid));
    for (int v = 0; v < vertices; v++)
        fit.weights[v] = 1.0;
    STATUS_TRY(skin_fit_error(&fit, &squared_error));
    if (!(squared_error < *best))
        return status_ok();
    rig_clear(&result->rig);
    low_rank_clear(&result->low_rank);
    memory_release(&result->rest);
    STATUS_TRY(skin_fit_deliver(&fit, result, best));
    return rig_fill_joints(&result->rig);
}

/* Runs the method with at most one bone per vertex. If one bone per vertex is requested, does not run the
 * method: each bone follows its vertex. */
static Status vertices_fit(const DecompositionMethod *method, const DecompositionInput *input,
                           const DecompositionOptions *options, DecompositionResult *result)
{
    const int vertices = input->mesh->vertex_count;
    DecompositionOptions cut = *options;
    cut.bones = int_min(options->bones, vertices);
    STATUS_TRY(method->makes_rig && cut.bones == vertices ? vertex_bones_fit(input, result)
                                                          : method->fit(input, &cut, result));
    if (result->bones_requested == cut.bones)
        result->bones_requested = options->bones;
    return status_ok();
}

/* Source that reads positions in blocks and keeps only one vertex for each distinct place. */
typedef struct WeldedSource {
    const Animation *animation;
    const Welding *welding;
} WeldedSource;

static Status welded_read(void *context, PositionBlock block, float *positions)
{
    const WeldedSource *source = context;
    const int32_t *vertices = source->welding->vertex_of + block.first_vertex;
    if (block.vertices == 0)
        return status_ok();
    const int span = vertices[block.vertices - 1] - vertices[0] + 1;
    LOCAL_TABLE(float, read, span, 3, "a frame of the animation");
    for (int f = 0; f < block.frames; f++) {
        const PositionBlock frame = {block.first_frame + f, 1, vertices[0], span};
        STATUS_TRY(animation_block(source->animation, source->welding->vertex_count, frame, read));
        for (int v = 0; v < block.vertices; v++, positions += 3)
            memcpy(positions, read + 3 * (size_t)(vertices[v] - vertices[0]), 3 * sizeof *positions);
    }
    return status_ok();
}

/* Copies rows [W][row] of welded vertices to all vertices in the same place. */
static Status welded_rows_spread(const Welding *welding, size_t row_bytes, void *address)
{
    char *rows = NULL, *spread = memory_table((size_t)welding->vertex_count, row_bytes, 1);
    ALLOCATED(spread, "the model");
    memcpy(&rows, address, sizeof rows);
    for (size_t v = 0; v < (size_t)welding->vertex_count; v++)
        memcpy(spread + v * row_bytes, rows + (size_t)welding->welded_of[v] * row_bytes, row_bytes);
    memory_free(rows);
    memcpy(address, &spread, sizeof spread);
    return status_ok();
}

/* Sums the squared errors of a model over the vertices of all ranks. A large animation is sampled at evenly
 * spaced frames, whose sum is scaled to all frames. */
static Status model_squared_error(const DecompositionInput *input, const DecompositionResult *result,
                                  double *squared_error)
{
    const double POINTS_MAX = 2e7;
    const int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    const VertexShare share = ranks_share(input->ranks, vertices);
    const int step = (int)ceil(fmax((double)vertices * frames / POINTS_MAX, 1.0));
    Mesh mesh = *input->mesh;
    if (result->rest)
        mesh.rest = result->rest;
    double sum = 0.0, low_part = 0.0;
    LOCAL_TABLE(float, frame, share.count, 3, "a frame of the animation");
    for (int f = 0; f < frames; f += step) {
        STATUS_TRY(
            animation_block(input->animation, share.count, (PositionBlock){f, 1, 0, share.count}, frame));
        for (int v = 0; v < share.count; v++) {
            const Vec3 error = vec3_sub(
                model_point(&mesh, &result->rig, &result->low_rank, f, share.first + v), point_at(frame, v));
            const double square = vec3_dot(error, error);
            exact_sums_add(&sum, &low_part, &square, 1);
        }
    }
    ranks_sum(input->ranks, &sum, &low_part, 1);
    *squared_error = sum * frames / ((frames + step - 1) / step);
    return status_ok();
}

/* Fits the welded vertices and copies the result to all vertices in the same place. The method therefore
 * sees the neighbours of the welded surface, and vertices in the same place get the same weights and rest
 * position. */
static Status welded_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const Welding *welding, const DecompositionOptions *options,
                         DecompositionResult *result)
{
    const int frames = input->animation->frame_count, welded = welding->mesh.vertex_count;
    const VertexShare welded_share = ranks_share(input->ranks, welded);
    const size_t row = 3 * (size_t)welded_share.count;
    WeldedSource from = {input->animation, welding};
    const PositionSource source = {welded_read, &from};
    const bool copied = ranks_are_many(input->ranks) || input->animation->positions;
    LOCAL_TABLE(float, positions, copied ? frames : 0, row, "the animation");
    LOCAL_TABLE(float, whole, copied ? welding->vertex_count : 0, 3, "a frame of the animation");
    for (int f = 0; copied && f < frames; f++) {
        /* gather the frames from all ranks, because a welded vertex may belong to another rank than the
         * original vertex */
        STATUS_TRY(decomposition_frame(input->ranks, input->animation, welding->vertex_count, f, whole));
        for (int w = 0; w < welded_share.count; w++)
            memcpy(positions + (size_t)f * row + 3 * (size_t)w,
                   whole + 3 * (size_t)welding->vertex_of[welded_share.first + w], 3 * sizeof *positions);
    }
    const Animation animation = {
        .frame_count = frames, .positions = copied ? positions : NULL, .source = copied ? NULL : &source};
    DecompositionInput joined = *input;
    joined.mesh = &welding->mesh;
    joined.animation = &animation;
    STATUS_TRY(vertices_fit(method, &joined, options, result));
    Rig *rig = &result->rig;
    LowRank *low_rank = &result->low_rank;
    if (rig->weight_joints && rig->weight_values && result->rest) {
        const size_t slots = (size_t)rig->influence_count;
        STATUS_TRY(
            welded_rows_spread(welding, slots * sizeof *rig->weight_joints, (void *)&rig->weight_joints));
        STATUS_TRY(
            welded_rows_spread(welding, slots * sizeof *rig->weight_values, (void *)&rig->weight_values));
        STATUS_TRY(welded_rows_spread(welding, 3 * sizeof *result->rest, (void *)&result->rest));
    }
    if (low_rank->rank > 0 && low_rank->coefficients) {
        LOCAL_TABLE(float, spread, low_rank->rank, welding->vertex_count, "the model");
        for (size_t r = 0; r < (size_t)low_rank->rank; r++)
            for (size_t v = 0; v < (size_t)welding->vertex_count; v++)
                spread[r * (size_t)welding->vertex_count + v] =
                    low_rank->coefficients[r * (size_t)welded + (size_t)welding->welded_of[v]];
        memory_free(low_rank->coefficients);
        low_rank->coefficients = TAKE(spread);
    }
    /* the record holds the error of W welded vertices; scale it to the error of the model over all N
     * vertices */
    double squared_error = 0.0, share = (double)welding->vertex_count / welded;
    STATUS_TRY(model_squared_error(input, result, &squared_error));
    if (result->squared_error && result->squared_error[result->iteration_count] > 0.0)
        share = squared_error / result->squared_error[result->iteration_count];
    for (int i = 0; result->squared_error && i <= result->iteration_count; i++)
        result->squared_error[i] *= share;
    for (int i = 0; i < result->stage_count; i++)
        result->stages[i].squared_error *= share;
    return status_ok();
}

Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result)
{
    OWNED float *first_frame = NULL;
    Mesh mesh = *input->mesh;
    DecompositionInput posed = *input;
    UNDO_ON_FAILURE(decomposition_result_clear) DecompositionResult *unfinished = result;
    CLEANUP(linear_algebra_restore) int linear_algebra_threads = linear_algebra_serialize();
    DecompositionOptions checked = *options;
    const double started_s = clock_now_s();
    *result = (DecompositionResult){0};
    if (options->bones < 1)
        return bad_usage("%s: %d bones were requested, expected at least 1", method->name, options->bones);
    if (options->influences < 1 || options->influences > FIT_INFLUENCES_MAX)
        return bad_usage("%s: %d influences per vertex were requested, expected 1 to %d", method->name,
                         options->influences, FIT_INFLUENCES_MAX);
    if (options->iterations < 0)
        return bad_usage("%s: %d iterations were requested, expected at least 0", method->name,
                         options->iterations);
    if (!(options->time_limit_s >= 0.0))
        return bad_usage("%s: the time limit is %g s, expected at least 0", method->name,
                         options->time_limit_s);
    STATUS_TRY(decomposition_input_check(input));
    if (options->time_limit_s > 0.0) /* subtract the time spent on checking the input */
        checked.time_limit_s = fmax(options->time_limit_s - (clock_now_s() - started_s), 1e-9);
    checked.threads = int_max(options->threads, 1);
    if (!method->fit)
        return status_make(STATUS_CHECK_FAILED, "%s: the method has no function `fit`", method->name);
    if (ranks_are_many(input->ranks) && !method->over_ranks)
        return bad_usage("%s cannot divide a fit among processes", method->name);
    if (!input->animation->positions && !method->reads_blocks)
        return bad_usage("%s needs the whole animation in memory", method->name);
    if (method->rest_pose_row > 0 && options->parameters[method->rest_pose_row] == REST_POSE_FIRST) {
        ALLOCATE_TABLE(first_frame, mesh.vertex_count, 3, "the first frame");
        STATUS_TRY(decomposition_frame(input->ranks, input->animation, mesh.vertex_count, 0, first_frame));
        mesh.rest = first_frame;
        posed.mesh = &mesh;
    }
    CLEANUP(welding_clear) Welding welding = {0};
    if (method->makes_rig)
        STATUS_TRY(welding_find_in_motion(posed.mesh, posed.animation, posed.ranks, &welding));
    if (method->makes_rig && welding_joins(&welding))
        STATUS_TRY(welded_fit(method, &posed, &welding, &checked, result));
    else
        STATUS_TRY(vertices_fit(method, &posed, &checked, result));
    STATUS_TRY(rig_fill_joints(&result->rig));
    const Status checks = result_check(method, input, options, result);
    if (checks.code != STATUS_OK)
        return status_with_code(STATUS_CHECK_FAILED, checks);
    if (method->makes_rig && !method->bounds_itself && options->bones < mesh.vertex_count &&
        !parameter_is(method, options->parameters, "preset", "paper")) {
        const bool rigid = parameter_is(method, options->parameters, "transforms", "rigid");
        STATUS_TRY(single_bone_replace(&posed, &checked, rigid, result));
    }
    unfinished = NULL;
    return status_ok();
}

Status decomposition_fit_other(const char *caller, const char *name, const char *setting,
                               const DecompositionInput *input, const DecompositionOptions *options,
                               DecompositionResult *result)
{
    DecompositionOptions other_options = *options;
    for (const DecompositionMethod *const *each = options->methods; each && *each; each++) {
        const DecompositionMethod *method = *each;
        if (strcmp(method->name, name) != 0)
            continue;
        ParameterValues values = parameters_default(method->parameters);
        if (setting)
            STATUS_TRY(parameters_set(method->parameters, name, setting, &values));
        if (method->rest_pose_row > 0)
            values.values[method->rest_pose_row] = REST_POSE_FILE; /* the mesh of `input` already has the rest
                                                                      pose that was chosen for this fit */
        other_options.parameters = values.values;
        return decomposition_fit(method, input, &other_options, result);
    }
    return status_make(STATUS_UNAVAILABLE, "%s: this build does not have the method '%s'", caller, name);
}

/* The frame around every fit: checks of its input and options before, and of what it delivered after. */
#include "methods/fitting/decomposition_method.h"

#include "datasets/base/late_library.h"
#include "datasets/model/validate.h"
#include "datasets/model/welding.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/reduction/dense.h"
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
    /* the rank's share of the animation; what is read is looked at then */
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
        return bad_input("the unit radius is %g", input->unit_radius);
    return status_ok();
}

/* What a method promises of its result. */
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
        return status_make(STATUS_CHECK_FAILED, "%s: fit made no record (decomposition_result_begin)",
                           method->name);
    for (int i = 0; i <= result->iteration_count; i++)
        if (!isfinite(result->squared_error[i]) || !isfinite(result->elapsed_s[i]))
            return status_make(STATUS_CHECK_FAILED, "%s: after iteration %d the squared error is %g at %g s",
                               method->name, i, result->squared_error[i], result->elapsed_s[i]);
    if (result->bones_requested != options->bones || result->bones_delivered < 1 ||
        result->bones_delivered > options->bones)
        return status_make(STATUS_CHECK_FAILED, "%s: fit delivered %d of %d bones, %d were requested",
                           method->name, result->bones_delivered, result->bones_requested, options->bones);
    if (method->makes_rig) {
        /* counts and pointers of a rig; its values are dataset_validate's */
        const Rig *rig = &result->rig;
        const int frames = input->animation->frame_count;
        if (rig->joint_count < 1 || !rig->transforms || !rig->weight_joints || !rig->weight_values ||
            !result->rest)
            return status_make(STATUS_CHECK_FAILED, "%s: makes_rig, but fit delivered no %s", method->name,
                               rig->joint_count > 0 && !result->rest ? "rest pose" : "rig");
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
    const double TOLERANCE = 1e-3; /* floats that were rounded each on its own miss 1 by far less */
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

/* Reads blocks of welded vertices. */
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

/* Copies rows [W][row] of welded vertices to their twins. */
static Status rows_spread(const Welding *welding, size_t row_bytes, void *address)
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

/* Fits the welded vertices and gives twins what their vertex got. All neighbours of a method are so those of
 * the welded surface, and twins have the same weights and rest positions. */
static Status welded_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const Welding *welding, const DecompositionOptions *options,
                         DecompositionResult *result)
{
    const int frames = input->animation->frame_count, welded = welding->mesh.vertex_count;
    const VertexShare own = ranks_share(input->ranks, welded);
    const size_t row = 3 * (size_t)own.count;
    WeldedSource from = {input->animation, welding};
    const PositionSource source = {welded_read, &from};
    const bool many = ranks_are_many(input->ranks), copied = many || input->animation->positions;
    LOCAL_TABLE(float, positions, copied ? frames : 0, row, "the animation");
    LOCAL_TABLE(float, whole, many ? welding->vertex_count : 0, 3, "a frame of the animation");
    for (int f = 0; f < (copied ? frames : 0); f++) {
        /* other ranks have some of the vertices that are this rank's when welded */
        const VertexShare share = ranks_share(input->ranks, welding->vertex_count);
        Status status = status_ok();
        const float *frame = many ? whole : input->animation->positions + (size_t)f * 3 * (size_t)share.count;
        if (many) {
            float *read = whole + 3 * (size_t)share.first;
            status =
                animation_block(input->animation, share.count, (PositionBlock){f, 1, 0, share.count}, read);
            ranks_gather(input->ranks, welding->vertex_count, 3 * sizeof *whole, read, whole);
        }
        STATUS_TRY(status);
        for (int w = 0; w < own.count; w++)
            memcpy(positions + (size_t)f * row + 3 * (size_t)w,
                   frame + 3 * (size_t)welding->vertex_of[own.first + w], 3 * sizeof *positions);
    }
    const Animation animation = {
        .frame_count = frames, .positions = copied ? positions : NULL, .source = copied ? NULL : &source};
    DecompositionInput joined = *input;
    joined.mesh = &welding->mesh;
    joined.animation = &animation;
    STATUS_TRY(method->fit(&joined, options, result));
    Rig *rig = &result->rig;
    LowRank *low_rank = &result->low_rank;
    if (rig->weight_joints && rig->weight_values && result->rest) {
        const size_t slots = (size_t)rig->influence_count;
        STATUS_TRY(rows_spread(welding, slots * sizeof *rig->weight_joints, (void *)&rig->weight_joints));
        STATUS_TRY(rows_spread(welding, slots * sizeof *rig->weight_values, (void *)&rig->weight_values));
        STATUS_TRY(rows_spread(welding, 3 * sizeof *result->rest, (void *)&result->rest));
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
    /* its account is of W vertices: as if each had N / W twins */
    const double share = (double)welding->vertex_count / welded;
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
    OWNED_BY(decomposition_result_clear) DecompositionResult *unfinished = result;
    CLEANUP(linear_algebra_restore) int linear_algebra_threads = linear_algebra_serialize();
    DecompositionOptions checked = *options;
    const double started_s = clock_now_s();
    *result = (DecompositionResult){0};
    if (options->bones < 1)
        return bad_usage("%s: %d bones, expected at least 1", method->name, options->bones);
    if (options->influences < 1 || options->influences > FIT_INFLUENCES_MAX)
        return bad_usage("%s: %d influences per vertex, expected 1 to %d", method->name, options->influences,
                         FIT_INFLUENCES_MAX);
    if (options->iterations < 0)
        return bad_usage("%s: %d iterations, expected at least 0", method->name, options->iterations);
    if (!(options->time_limit_s >= 0.0))
        return bad_usage("%s: time limit %g s, expected at least 0", method->name, options->time_limit_s);
    STATUS_TRY(late_library_open(LATE_ALGEBRA));
    STATUS_TRY(decomposition_input_check(input));
    if (options->time_limit_s > 0.0) /* looking at the input took some */
        checked.time_limit_s = fmax(options->time_limit_s - (clock_now_s() - started_s), 1e-9);
    checked.threads = int_max(options->threads, 1);
    if (!method->fit)
        return status_make(STATUS_CHECK_FAILED, "%s: the method has no fit", method->name);
    if (ranks_are_many(input->ranks) && !method->over_ranks)
        return bad_usage("%s cannot share a fit between processes", method->name);
    if (!input->animation->positions && !method->reads_blocks)
        return bad_usage("%s needs the whole animation in memory", method->name);
    if (method->rest_pose_row > 0 && options->parameters[method->rest_pose_row] == REST_POSE_FIRST) {
        ALLOCATE_TABLE(first_frame, mesh.vertex_count, 3, "the first frame");
        /* the first frame of all vertices, on every rank */
        const int vertices = input->mesh->vertex_count;
        const VertexShare share = ranks_share(input->ranks, vertices);
        float *own = first_frame + (ptrdiff_t)3 * share.first;
        const PositionBlock block = {.frames = 1, .vertices = share.count};
        const Status status = animation_block(input->animation, share.count, block, own);
        ranks_gather(input->ranks, vertices, 3 * sizeof *first_frame, own, first_frame);
        STATUS_TRY(status);
        mesh.rest = first_frame;
        posed.mesh = &mesh;
    }
    CLEANUP(welding_clear) Welding welding = {0};
    if (method->makes_rig)
        STATUS_TRY(welding_find_in_motion(posed.mesh, posed.animation, posed.ranks, &welding));
    if (method->makes_rig && welding_joins(&welding))
        STATUS_TRY(welded_fit(method, &posed, &welding, &checked, result));
    else
        STATUS_TRY(method->fit(&posed, &checked, result));
    STATUS_TRY(rig_fill_joints(&result->rig));
    const Status checks = result_check(method, input, options, result);
    if (checks.code != STATUS_OK)
        return status_with_code(STATUS_CHECK_FAILED, checks);
    unfinished = NULL;
    return status_ok();
}

Status decomposition_fit_other(const char *caller, const char *name, const char *setting,
                               const DecompositionInput *input, const DecompositionOptions *options,
                               DecompositionResult *result)
{
    DecompositionOptions own = *options;
    for (const DecompositionMethod *const *each = options->methods; each && *each; each++) {
        const DecompositionMethod *method = *each;
        if (strcmp(method->name, name) != 0)
            continue;
        ParameterValues values = parameters_default(method->parameters);
        if (setting)
            STATUS_TRY(parameters_set(method->parameters, name, setting, &values));
        if (method->rest_pose_row > 0)
            values.values[method->rest_pose_row] = REST_POSE_FILE; /* of input: the caller has chosen */
        own.parameters = values.values;
        return decomposition_fit(method, input, &own, result);
    }
    return status_make(STATUS_UNAVAILABLE, "%s: this build does not have the method '%s'", caller, name);
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
        return bad_usage("method '%s': its name is not lower-case letters, digits and -",
                         method->name ? method->name : "");
    if (strcmp(method->name, registered_name) != 0)
        return bad_usage("method %s: its table is named '%s'; both must be one name", registered_name,
                         method->name);
    if (!method->title || !method->title[0] || !method->citation || !method->citation[0])
        return bad_usage("method %s: its table has no title or no citation", method->name);
    if (!method->fit)
        return bad_usage("method %s: its table has no fit", method->name);
    STATUS_TRY(parameters_check(method->parameters, method->name));
    const int count = parameters_count(method->parameters);
    if (method->rest_pose_row < 0 || method->rest_pose_row >= int_max(count, 1) ||
        (method->rest_pose_row > 0 && method->parameters[method->rest_pose_row].choices != rest_pose_choices))
        return bad_usage("%s: rest_pose_row is not that of a REST_POSE_PARAMETER", method->name);
    /* what a task asks for stands in a record beside the method's parameters */
    static const char *const taken[] = {"bones",        "influences", "iterations",
                                        "time_limit_s", "holdout",    "error"};
    for (int i = 0; i < count; i++)
        for (size_t t = 0; t < sizeof taken / sizeof *taken; t++)
            if (strcmp(method->parameters[i].name, taken[t]) == 0)
                return bad_usage("%s: the parameter '%s' has the name of an option of every fit",
                                 method->name, taken[t]);
    return status_ok();
}

/* A rig: K weights and K joints per vertex, 12 numbers per bone and frame, the rest pose. A low-rank model,
 * also one that corrects a rig: the basis, and per vertex its coefficients; those that are zero need not be
 * held where a vertex says which are not: one index per run of those (CPCA: 4 coefficients and the number of
 * the cluster). The smaller of the two forms counts. Displacements that share their factors (EigenSkin) have
 * one number per frame. */
size_t decomposition_size(const DecompositionResult *result, int vertex_count)
{
    const Rig *rig = &result->rig;
    const LowRank *model = &result->low_rank;
    size_t count = 0;
    if (rig->joint_count > 0)
        count += (size_t)vertex_count * (2 * (size_t)rig->influence_count + 3) +
                 12 * (size_t)rig->joint_count * (size_t)rig->frame_count;
    if (model->rank > 0) {
        size_t dense = (size_t)model->rank * (size_t)vertex_count;
        /* coefficients that are not zero, and one index per run of them in a vertex' column */
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

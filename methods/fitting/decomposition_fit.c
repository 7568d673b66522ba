/* The frame around every fit: checks of its input and options before, and of what it delivered after; and the
 * models that need no method. */
#include "datasets/base/late_library.h"
#include "datasets/model/validate.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/fitting/simple_models.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

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

/* Whether a parameter of this name has this word. */
static bool parameter_is(const DecompositionMethod *method, const double *values, const char *name,
                         const char *word)
{
    for (const Parameter *row = method->parameters; row && row->name; row++)
        if (strcmp(row->name, name) == 0)
            return strcmp(parameter_word(row, (int)values[row - method->parameters]), word) == 0;
    return false;
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
        STATUS_TRY(decomposition_frame(input->ranks, input->animation, mesh.vertex_count, 0, first_frame));
        mesh.rest = first_frame;
        posed.mesh = &mesh;
    }
    checked.bones = int_min(options->bones, mesh.vertex_count);
    const bool all_vertices = method->makes_rig && checked.bones == mesh.vertex_count;
    STATUS_TRY(all_vertices ? vertex_bones_fit(&posed, result) : method->fit(&posed, &checked, result));
    if (result->bones_requested == checked.bones)
        result->bones_requested = options->bones;
    STATUS_TRY(rig_fill_joints(&result->rig));
    const Status checks = result_check(method, input, options, result);
    if (checks.code != STATUS_OK)
        return status_with_code(STATUS_CHECK_FAILED, checks);
    if (method->makes_rig && !method->bounds_itself && !all_vertices &&
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

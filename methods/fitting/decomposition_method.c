/* Checks the input and the options of a fit, runs the method, and allocates results. */
#include "methods/fitting/decomposition_method.h"

#include "datasets/base/memory.h"
#include "datasets/model/validate.h"

#include <math.h>
#include <omp.h>

const char *fit_end_name(FitEnd end)
{
    static const char *const names[] = {
        [FIT_COMPLETE] = "complete",     [FIT_ITERATION_CAP] = "iteration-cap",
        [FIT_TIME_LIMIT] = "time-limit", [FIT_STOPPED] = "stopped",
        [FIT_EXACT] = "exact",
    };
    return names[end];
}

static Status options_check(const DecompositionMethod *method, const DecompositionOptions *options)
{
    if (options->bones < 1)
        return status_make(STATUS_USAGE, "%s: %d bones, expected at least 1", method->name, options->bones);
    if (options->influences < 1 || options->influences > 8)
        return status_make(STATUS_USAGE, "%s: %d influences per vertex, expected 1 to 8", method->name,
                           options->influences);
    if (options->iterations < 0)
        return status_make(STATUS_USAGE, "%s: %d iterations, expected at least 0", method->name,
                           options->iterations);
    if (!(options->time_limit_s >= 0.0))
        return status_make(STATUS_USAGE, "%s: time limit %g s, expected at least 0", method->name,
                           options->time_limit_s);
    return status_ok();
}

static Status mesh_check(const Mesh *mesh)
{
    if (mesh->vertex_count < 1)
        return status_make(STATUS_BAD_INPUT, "the mesh has no vertices");
    if (mesh->vertex_count > INT32_MAX / 64)
        return status_make(STATUS_BAD_INPUT, "the mesh has %d vertices, expected at most %d",
                           mesh->vertex_count, INT32_MAX / 64);
    int64_t bad = float_not_finite(mesh->rest, 3 * (int64_t)mesh->vertex_count);
    if (bad >= 0)
        return status_make(STATUS_BAD_INPUT, "rest pose: coordinate %d of vertex %d is not finite",
                           (int)(bad % 3), (int)(bad / 3));
    return mesh_corners_check(mesh);
}

static Status animation_check(const Animation *animation, int vertex_count)
{
    if (animation->frame_count < 1)
        return status_make(STATUS_BAD_INPUT, "the animation has no frames");
    if (animation->frame_count > INT32_MAX / 64)
        return status_make(STATUS_BAD_INPUT, "the animation has %d frames, expected at most %d",
                           animation->frame_count, INT32_MAX / 64);
    int64_t frame_size = 3 * (int64_t)vertex_count;
    int64_t bad = float_not_finite(animation->positions, animation->frame_count * frame_size);
    if (bad < 0)
        return status_ok();
    return status_make(STATUS_BAD_INPUT, "frame %d: coordinate %d of vertex %d is not finite",
                       (int)(bad / frame_size), (int)(bad % 3), (int)(bad % frame_size / 3));
}

Status decomposition_input_check(const DecompositionInput *input)
{
    Status status = mesh_check(input->mesh);
    if (status.code == STATUS_OK)
        status = animation_check(input->animation, input->mesh->vertex_count);
    if (status.code == STATUS_OK && (!isfinite(input->unit_radius) || input->unit_radius < 0.0))
        status = status_make(STATUS_BAD_INPUT, "the unit radius is %g", input->unit_radius);
    return status;
}

Status decomposition_fit(const DecompositionMethod *method, const DecompositionInput *input,
                         const DecompositionOptions *options, DecompositionResult *result)
{
    *result = (DecompositionResult){0};
    Status status;
    STATUS_TRY(options_check(method, options));
    STATUS_TRY(decomposition_input_check(input));
    int threads = omp_get_max_threads();
    omp_set_num_threads(options->threads > 0 ? options->threads : 1);
    status = method->fit(input, options, result);
    omp_set_num_threads(threads);
done:
    if (status.code != STATUS_OK)
        decomposition_result_clear(result);
    return status;
}

Status decomposition_result_begin(DecompositionResult *result, int bones, int sweeps)
{
    size_t points = (size_t)sweeps + 1;
    result->bones_requested = bones;
    result->squared_error = memory_array(points, sizeof(double));
    result->elapsed_s = memory_array(points, sizeof(double));
    return result->squared_error && result->elapsed_s ? status_ok()
                                                      : status_out_of_memory("the record of errors");
}

void decomposition_result_clear(DecompositionResult *result)
{
    rig_clear(&result->rig);
    low_rank_clear(&result->low_rank);
    memory_free(result->rest);
    memory_free(result->squared_error);
    memory_free(result->elapsed_s);
    *result = (DecompositionResult){0};
}

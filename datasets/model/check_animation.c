/* Checks of animations and low-rank models: finite values, unit normals, frame counts that agree, scale.
 * */
#include "datasets/model/check_rows.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/enclosing_ball.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Between the rest pose and the middle frame. Surfaces that bend keep their edges' lengths, and even rubber
 * rarely stretches by half everywhere, while another unit is a factor of 2 and more. */
static const double SCALE_TOLERANCE = 1.5;
static const double NORMAL_TOLERANCE = 1e-3;

static Status check_fps(const Dataset *dataset, CheckFinding *finding)
{
    if (!isfinite(dataset->fps) || dataset->fps <= 0.0)
        check_fault(finding, "attribute fps is %g", dataset->fps);
    return status_ok();
}

static void frames_finite(const Dataset *dataset, const float *values, const char *object,
                          CheckFinding *finding)
{
    int64_t per_frame = 3 * (int64_t)dataset->mesh.vertex_count;
    for (int64_t i = 0; values && i < dataset->animation.frame_count * per_frame; i++)
        if (!isfinite(values[i]))
            check_fault(finding, "%s[%lld,%lld,%lld] is %g", object, (long long)(i / per_frame),
                        (long long)(i % per_frame / 3), (long long)i % 3, (double)values[i]);
}

static Status check_positions_finite(const Dataset *dataset, CheckFinding *finding)
{
    frames_finite(dataset, dataset->animation.positions, "animation/positions", finding);
    return status_ok();
}

static Status check_normals_finite(const Dataset *dataset, CheckFinding *finding)
{
    frames_finite(dataset, dataset->animation.normals, "animation/normals", finding);
    return status_ok();
}

static Status check_normals_unit(const Dataset *dataset, CheckFinding *finding)
{
    const float *normals = dataset->animation.normals;
    int64_t vertices = dataset->mesh.vertex_count;
    for (int64_t i = 0; normals && i < dataset->animation.frame_count * vertices; i++) {
        double length = vec3_length(vec3_make(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        if (fabs(length - 1.0) > NORMAL_TOLERANCE)
            check_fault(finding, "animation/normals[%lld,%lld] has the length %g", (long long)(i / vertices),
                        (long long)(i % vertices), length);
    }
    return status_ok();
}

static Status check_frame_counts(const Dataset *dataset, CheckFinding *finding)
{
    int rig = dataset->rig.frame_count, animation = dataset->animation.frame_count;
    if (dataset->rig.joint_count > 0 && rig > 0 && animation > 0 && rig != animation)
        check_fault(finding, "the rig has %d frames, the animation %d", rig, animation);
    return status_ok();
}

/* Size of a shape: the mean length of its edges, or, without faces, the radius of the ball around it. 0 when
 * it cannot be decided. */
static double shape_size(const Mesh *mesh, const float *positions)
{
    double sum = 0.0;
    int64_t count = 0;
    Ball ball;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && check_triangle_sound(mesh, t); i++, count++) {
            const int32_t *corners = mesh->triangles + 3 * (size_t)t;
            const float *a = positions + 3 * (size_t)corners[i];
            const float *b = positions + 3 * (size_t)corners[(i + 1) % 3];
            sum += vec3_length(vec3_make((double)a[0] - b[0], (double)a[1] - b[1], (double)a[2] - b[2]));
        }
    if (count > 0)
        return isfinite(sum) ? sum / (double)count : 0.0;
    return enclosing_ball(positions, mesh->vertex_count, &ball).code == STATUS_OK ? ball.radius : 0.0;
}

static int sizes_compare(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

static Status check_rest_scale(const Dataset *dataset, CheckFinding *finding)
{
    const Mesh *mesh = &dataset->mesh;
    int frames = dataset->animation.frame_count;
    if (frames == 0 || mesh->vertex_count == 0 || !dataset->animation.positions)
        return status_ok();
    double *sizes = memory_array((size_t)frames, sizeof *sizes);
    if (!sizes)
        return status_out_of_memory("the frames' sizes");
    for (int f = 0; f < frames; f++)
        sizes[f] =
            shape_size(mesh, dataset->animation.positions + 3 * (size_t)f * (size_t)mesh->vertex_count);
    qsort(sizes, (size_t)frames, sizeof *sizes, sizes_compare);
    double middle = sizes[frames / 2], rest = shape_size(mesh, mesh->rest);
    memory_free(sizes);
    if (middle > 0.0 && rest > 0.0 && (rest > SCALE_TOLERANCE * middle || middle > SCALE_TOLERANCE * rest))
        check_fault(finding, "the rest pose is %.4g times the size of the animation (edges of %.4g and %.4g)",
                    rest / middle, rest, middle);
    return status_ok();
}

static Status check_model_finite(const Dataset *dataset, CheckFinding *finding)
{
    const LowRank *model = &dataset->low_rank;
    int64_t vertices = dataset->mesh.vertex_count;
    for (int64_t i = 0; i < (int64_t)model->row_count * model->rank; i++)
        if (!isfinite(model->basis[i]))
            check_fault(finding, "model/basis[%lld,%lld] is %g", (long long)i / model->rank,
                        (long long)i % model->rank, model->basis[i]);
    for (int64_t i = 0; i < model->rank * vertices; i++)
        if (!isfinite(model->coefficients[i]))
            check_fault(finding, "model/coefficients[%lld,%lld] is %g", (long long)(i / vertices),
                        (long long)(i % vertices), (double)model->coefficients[i]);
    return status_ok();
}

static Status check_model_frames(const Dataset *dataset, CheckFinding *finding)
{
    int rows = dataset->low_rank.row_count, frames = dataset->animation.frame_count;
    if (dataset->low_rank.rank > 0 && frames > 0 && rows != 3 * frames)
        check_fault(finding, "model/basis has %d rows, expected 3 for each of %d frames", rows, frames);
    return status_ok();
}

const CheckRow check_animation_rows[] = {
    {"fps", CHECK_NOTE, "the frame rate is known", check_fps},
    {"positions-finite", CHECK_ERROR, "positions are numbers", check_positions_finite},
    {"normals-finite", CHECK_ERROR, "normals are numbers", check_normals_finite},
    {"normals-unit", CHECK_WARNING, "normals have length 1", check_normals_unit},
    {"frame-counts", CHECK_ERROR, "rig and animation have the same frames", check_frame_counts},
    {"rest-scale", CHECK_ERROR, "rest pose and animation have one scale", check_rest_scale},
    {"model-finite", CHECK_ERROR, "the low-rank model is numbers", check_model_finite},
    {"model-frames", CHECK_ERROR, "low-rank model and animation have the same frames", check_model_frames},
    {.code = NULL},
};

/* What every consumer of a data set relies on: the first fault is reported with its place. */
#include "datasets/model/validate.h"

#include "datasets/geometry/topology.h"

#include <math.h>
#include <stddef.h>

/* The first pass has no exit, so that it runs at the speed of memory; 0 * x is 0 for every finite x and NaN for
 * the rest. */
int64_t float_not_finite(const float *values, int64_t count)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < count; i++)
        sum += 0.0f * values[i];
    if (sum == 0.0f)
        return -1;
    int64_t i = 0;
    while (isfinite(values[i]))
        i++;
    return i;
}

static int64_t double_not_finite(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return i;
    return -1;
}

/* A table [rows][columns] of one of the two types (the other NULL) with a value that is not finite, as a Status. */
static Status table_validate(const float *floats, const double *doubles, int64_t rows, int64_t columns,
                             const char *place, const char *object)
{
    int64_t bad = floats    ? float_not_finite(floats, rows * columns)
                  : doubles ? double_not_finite(doubles, rows * columns)
                            : -1;
    if (bad < 0)
        return status_ok();
    return status_make(STATUS_BAD_INPUT, "%s: %s[%lld,%lld] is %g", place, object, (long long)(bad / columns),
                       (long long)(bad % columns), floats ? (double)floats[bad] : doubles[bad]);
}

Status mesh_corners_check(const Mesh *mesh)
{
    int64_t bad = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
    if (bad < 0)
        return status_ok();
    return status_make(STATUS_BAD_INPUT, "corner %d of triangle %d is vertex %d, expected 0 to %d",
                       (int)(bad % 3), (int)(bad / 3), mesh->triangles[bad], mesh->vertex_count - 1);
}

static Status mesh_validate(const Mesh *mesh, const char *place)
{
    Status status = table_validate(mesh->rest, NULL, mesh->vertex_count, 3, place, "mesh/rest");
    if (status.code != STATUS_OK)
        return status;
    int64_t bad = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
    if (bad >= 0)
        return status_make(STATUS_BAD_INPUT, "%s: mesh/triangles[%lld,%lld] is %d, expected 0 to %d", place,
                           (long long)bad / 3, (long long)bad % 3, mesh->triangles[bad],
                           mesh->vertex_count - 1);
    return status_ok();
}

/* A matrix that is not finite, as a Status; `width` values per matrix, `joints` matrices per frame. */
static Status matrices_validate(const double *values, int64_t matrices, int width, int joints,
                                const char *place, const char *object)
{
    int64_t bad = double_not_finite(values, matrices * width);
    if (bad < 0)
        return status_ok();
    int64_t matrix = bad / width, columns = width / 3;
    long long row = bad % width / columns, column = bad % width % columns;
    if (joints == 0)
        return status_make(STATUS_BAD_INPUT, "%s: %s[%lld,%lld,%lld] is %g", place, object, (long long)matrix,
                           row, column, values[bad]);
    return status_make(STATUS_BAD_INPUT, "%s: %s[%lld,%lld,%lld,%lld] is %g", place, object,
                       (long long)matrix / joints, (long long)matrix % joints, row, column, values[bad]);
}

static Status joints_validate(const Rig *rig, const char *place)
{
    for (int j = 0; j < rig->joint_count; j++)
        if (rig->parents[j] < -1 || rig->parents[j] >= j)
            return status_make(STATUS_BAD_INPUT,
                               "%s: rig/parents[%d] is %d, expected -1 or a joint before it", place, j,
                               rig->parents[j]);
    int64_t posed = (int64_t)rig->frame_count * rig->joint_count;
    Status status = matrices_validate((const double *)rig->rest, rig->joint_count, 12, 0, place, "rig/rest");
    if (status.code == STATUS_OK)
        status = matrices_validate((const double *)rig->transforms, posed, 12, rig->joint_count, place,
                                   "rig/transforms");
    if (status.code == STATUS_OK && rig->scale)
        status =
            matrices_validate((const double *)rig->scale, posed, 9, rig->joint_count, place, "rig/scale");
    return status;
}

static Status weights_validate(const Rig *rig, int vertex_count, const char *place)
{
    int slots = rig->influence_count;
    for (int64_t v = 0; v < vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < slots; k++) {
            int32_t joint = rig->weight_joints[v * slots + k];
            float weight = rig->weight_values[v * slots + k];
            if (joint < 0 || joint >= rig->joint_count)
                return status_make(STATUS_BAD_INPUT,
                                   "%s: rig/weights/joints[%lld,%d] is %d, expected 0 to %d", place,
                                   (long long)v, k, joint, rig->joint_count - 1);
            if (!isfinite(weight))
                return status_make(STATUS_BAD_INPUT, "%s: rig/weights/values[%lld,%d] is %g", place,
                                   (long long)v, k, (double)weight);
            sum += weight;
        }
        if (!(sum > 0.0))
            return status_make(STATUS_BAD_INPUT,
                               "%s: rig/weights/values of vertex %lld have the sum %g, expected 1", place,
                               (long long)v, sum);
    }
    return status_ok();
}

Status dataset_validate(const Dataset *dataset, const char *place)
{
    const LowRank *model = &dataset->low_rank;
    int vertices = dataset->mesh.vertex_count;
    if (!isfinite(dataset->fps) || dataset->fps < 0.0)
        return status_make(STATUS_BAD_INPUT, "%s: attribute fps is %g, expected a positive number", place,
                           dataset->fps);
    Status status = mesh_validate(&dataset->mesh, place);
    if (status.code == STATUS_OK && dataset->rig.joint_count > 0)
        status = joints_validate(&dataset->rig, place);
    if (status.code == STATUS_OK && dataset->rig.joint_count > 0)
        status = weights_validate(&dataset->rig, vertices, place);
    if (status.code == STATUS_OK && dataset->rig.centers)
        status = table_validate(dataset->rig.centers, NULL, vertices, 3, place, "rig/centers");
    if (status.code == STATUS_OK && model->rank > 0)
        status = table_validate(NULL, model->basis, model->row_count, model->rank, place, "model/basis");
    if (status.code == STATUS_OK && model->rank > 0)
        status =
            table_validate(model->coefficients, NULL, model->rank, vertices, place, "model/coefficients");
    if (status.code == STATUS_OK && model->rank > 0 && dataset->rig.joint_count > 0 &&
        model->row_count != 3 * (int64_t)dataset->rig.frame_count)
        status = status_make(STATUS_BAD_INPUT,
                             "%s: model/basis has %d rows, expected 3 for each of the rig's %d frames", place,
                             model->row_count, dataset->rig.frame_count);
    return status;
}

Status frames_validate(const float *values, int first_frame, int frames, int first_vertex, int vertices,
                       const char *place, const char *object)
{
    int64_t bad = float_not_finite(values, 3 * (int64_t)frames * vertices);
    if (bad < 0)
        return status_ok();
    long long vertex = bad / 3;
    return status_make(STATUS_BAD_INPUT, "%s: %s[%lld,%lld,%lld] is %g", place, object,
                       first_frame + vertex / vertices, first_vertex + vertex % vertices, (long long)bad % 3,
                       (double)values[bad]);
}

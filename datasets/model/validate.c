/* Validates the properties on which all other code relies. Runs those rows of the checks that make readers
 * refuse a file, and stops at the first fault. */
#include "datasets/model/validate.h"

#include "datasets/geometry/topology.h"
#include "datasets/model/check.h"

int64_t float_not_finite(const float *values, int64_t count)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < count; i++)
        sum += 0.0f * values[i]; /* adds 0 if the value is finite, otherwise NaN */
    if (sum == 0.0f)
        return -1;
    int64_t i = 0;
    while (isfinite(values[i]))
        i++;
    return i;
}

Status mesh_corners_check(const Mesh *mesh)
{
    int64_t bad = corner_out_of_range(mesh->triangles, mesh->triangle_count, mesh->vertex_count);
    if (bad < 0)
        return status_ok();
    return bad_input("corner %d of triangle %d is vertex %d, expected 0 to %d", (int)(bad % 3),
                     (int)(bad / 3), mesh->triangles[bad], mesh->vertex_count - 1);
}

/* Returns STATUS_BAD_INPUT with the text of a finding. */
static Status refusal(const CheckFinding *finding, const char *place)
{
    return finding->count > 0 ? bad_input("%s: %s", place, finding->text) : status_ok();
}

static Status rows_run(const Dataset *dataset, CheckRefusal refused, const char *place)
{
    const CheckRow *row;
    for (int i = 0; (row = check_row(i)) != NULL; i++) {
        CheckFinding finding;
        if (row->refusal != refused)
            continue;
        STATUS_TRY(check_row_run(row, dataset, true, &finding));
        STATUS_TRY(refusal(&finding, place));
    }
    return status_ok();
}

Status dataset_validate(const Dataset *dataset, const char *place)
{
    return rows_run(dataset, CHECK_REFUSED, place);
}

Status dataset_frames_validate(const Dataset *dataset, const char *place)
{
    return rows_run(dataset, CHECK_REFUSED_BY_FRAMES, place);
}

Status frames_validate(const float *values, int first_frame, int frames, int first_vertex, int vertices,
                       const char *place, const char *object)
{
    CheckFinding finding = {.first_only = true};
    check_array(&(CheckArray){.object = object,
                              .floats = values,
                              .rank = 3,
                              .extents = {frames, vertices, 3},
                              .first = {first_frame, first_vertex, 0}},
                &finding);
    return refusal(&finding, place);
}

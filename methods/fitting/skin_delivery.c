/* From the unknowns of a fit to a rig (skin_fit.h). */
#include "datasets/base/memory.h"
#include "methods/fitting/skin_fit.h"

#include <stdio.h>
#include <string.h>

/* Numbers the bones that have vertices from 0, the others -1; returns how many. */
static int bones_number(const SkinFit *fit, int32_t *numbers)
{
    int count = 0;
    for (int bone = 0; bone < fit->bone_count; bone++)
        numbers[bone] = -1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)fit->vertex_count * fit->influence_count; i++)
        if (fit->weights[i] > 0.0)
            numbers[fit->bones[i]] = 0;
    for (int bone = 0; bone < fit->bone_count; bone++)
        if (numbers[bone] == 0)
            numbers[bone] = count++;
    return count;
}

/* Weights as float, those below what a float sum of 1 can hold dropped, in the fit too. */
static void weights_round(SkinFit *fit)
{
    enum { RESOLUTION = 1 << 24 };
    int influences = fit->influence_count;
    for (int j = 0; j < fit->vertex_count; j++) {
        double *weights = fit->weights + (ptrdiff_t)j * influences, sum = 0.0;
        for (int k = 0; k < influences; k++) {
            weights[k] = weights[k] * RESOLUTION >= 1.0 ? weights[k] : 0.0;
            sum += weights[k];
        }
        for (int k = 0; k < influences; k++)
            weights[k] = (double)(float)(weights[k] / sum);
    }
}

static void weights_copy(const SkinFit *fit, const int32_t *numbers, Rig *rig)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)fit->vertex_count * fit->influence_count; i++) {
        rig->weight_values[i] = (float)fit->weights[i];
        rig->weight_joints[i] = fit->weights[i] > 0.0 ? numbers[fit->bones[i]] : 0;
    }
}

/* One bone's map as transformations of rest-pose points. */
static void bone_copy(const SkinFit *fit, int bone, int joint, Rig *rig)
{
    int rows = fit->target.row_count;
    const double *map = fit->maps + (ptrdiff_t)4 * bone * rows;
    for (int frame = 0; frame < rig->frame_count; frame++) {
        double out[3][4];
        for (int axis = 0; axis < 3; axis++) {
            int row = 3 * frame + axis;
            out[axis][3] = map[(ptrdiff_t)3 * rows + row] + fit->target.offset[row];
            for (int column = 0; column < 3; column++) {
                out[axis][column] = map[(ptrdiff_t)column * rows + row] / fit->rest_unit;
                out[axis][3] -= out[axis][column] * fit->rest_center[column];
            }
        }
        rig->transforms[(ptrdiff_t)frame * rig->joint_count + joint] = (Transform){
            out[0][0], out[0][1], out[0][2], out[0][3], out[1][0], out[1][1],
            out[1][2], out[1][3], out[2][0], out[2][1], out[2][2], out[2][3],
        };
    }
}

static Status bones_copy(const SkinFit *fit, const int32_t *numbers, Rig *rig)
{
    for (int bone = 0; bone < fit->bone_count; bone++) {
        int joint = numbers[bone];
        char name[32];
        if (joint < 0)
            continue;
        snprintf(name, sizeof name, "bone_%d", joint);
        rig->joint_names[joint] = memory_text(name);
        if (!rig->joint_names[joint])
            return status_out_of_memory("the bone names");
        rig->parents[joint] = -1;
        rig->rest[joint] = (Transform){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
        bone_copy(fit, bone, joint, rig);
    }
    return status_ok();
}

Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error)
{
    int32_t *numbers = memory_array((size_t)fit->bone_count, sizeof(int32_t));
    Status status = status_ok();
    if (!numbers) {
        status = status_out_of_memory("the bones");
        goto done;
    }
    weights_round(fit);
    result->bones_delivered = bones_number(fit, numbers);
    STATUS_TRY(rig_allocate(&result->rig, fit->vertex_count, result->bones_delivered,
                            fit->input->animation->frame_count, fit->influence_count));
    result->rest = memory_table((size_t)fit->vertex_count, 3, sizeof(float));
    if (!result->rest) {
        status = status_out_of_memory("the rest pose");
        goto done;
    }
    memcpy(result->rest, fit->input->mesh->rest, 3 * sizeof(float) * (size_t)fit->vertex_count);
    weights_copy(fit, numbers, &result->rig);
    STATUS_TRY(bones_copy(fit, numbers, &result->rig));
    result->singular_systems = (int)fit->singular_systems;
    status = skin_fit_error(fit, squared_error);
done:
    memory_free(numbers);
    return status;
}

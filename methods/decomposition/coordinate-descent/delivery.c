/* Rounds the unknowns to what a data set file holds, solves the transformations once more, and brings
 * them back to the units of the input: T = B Tr (FESAM section 3). */
#include "methods/decomposition/coordinate-descent/delivery.h"

#include "datasets/base/memory.h"
#include "datasets/model/evaluate.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <cblas.h>
#include <omp.h>

/* The rest pose as float, in the result and, so rounded, in the model. */
static void rest_round(FitState *fit)
{
    const RestUnits *units = &fit->units;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * fit->model.vertex_count; i++) {
        double *v = &fit->model.rest[i];
        fit->result->rest[i] = (float)(units->center[i % 3] + units->unit * *v);
        *v = ((double)fit->result->rest[i] - units->center[i % 3]) / units->unit;
    }
}

/* The columns of a rigid bone's motion, [4][3F]. */
static void motion_gather(const RigidBones *rigid, int bone, int bone_count, double *map)
{
    ptrdiff_t rows = (ptrdiff_t)3 * rigid->frame_count;
    for (ptrdiff_t row = 0; row < rows; row++)
        for (int column = 0; column < 4; column++)
            map[column * rows + row] = rigid->motions[4 * (row * bone_count + bone) + column];
}

/* T = B Tr, bone by bone; rigid bones have it at hand. */
static Status transforms_restore(const FitState *fit, const int32_t *numbers, Rig *rig)
{
    const ReducedModel *model = &fit->model;
    int rows = fit->reduction.row_count, dimension = model->dimension;
    size_t workspace_size = 4 * (size_t)rows;
    double *workspace = memory_table((size_t)fit->model.threads, workspace_size, sizeof(double));
    if (!workspace)
        return status_out_of_memory("the bone transformations");
#pragma omp parallel for schedule(dynamic) num_threads(fit->model.threads)
    for (int bone = 0; bone < model->bone_count; bone++) {
        if (numbers[bone] < 0)
            continue;
        double *map = workspace + (size_t)omp_get_thread_num() * workspace_size;
        if (model->rigid)
            motion_gather(model->rigid, bone, model->bone_count, map);
        else
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, rows, dimension, 1.0,
                        model->transforms + (ptrdiff_t)4 * bone * dimension, dimension, fit->reduction.basis,
                        rows, 0.0, map, rows);
        rig_fill_transforms(&fit->units, map, fit->reduction.offset, numbers[bone], rig);
    }
    memory_free(workspace);
    return status_ok();
}

/* Where vertex j of a frame is skinned to, less the target: squared. */
static double vertex_miss(const FitState *fit, int frame, int j)
{
    ptrdiff_t target = (ptrdiff_t)frame * fit->model.vertex_count + j;
    Vec3 miss = vec3_scale(point_at(fit->input->animation->positions, target), -1.0);
    miss = rig_skin_point(&fit->result->rig, frame, j, point_at(fit->result->rest, j), miss);
    return vec3_dot(miss, miss);
}

/* ||A - A'||^2 of the rig as it is delivered: rigid motions are not the optimum that makes what the reduction
 * left out orthogonal to them. */
static Status delivered_error(const FitState *fit, double *squared)
{
    int frames = fit->result->rig.frame_count;
    double *parts = memory_array((size_t)frames, sizeof(double));
    if (!parts)
        return status_out_of_memory("the error of the frames");
#pragma omp parallel for schedule(static) num_threads(fit->model.threads)
    for (int frame = 0; frame < frames; frame++)
        for (int j = 0; j < fit->model.vertex_count; j++)
            parts[frame] += vertex_miss(fit, frame, j);
    *squared = 0.0;
    for (int frame = 0; frame < frames; frame++)
        *squared += parts[frame];
    memory_free(parts);
    return status_ok();
}

Status fit_deliver(FitState *fit)
{
    ReducedModel *model = &fit->model;
    DecompositionResult *result = fit->result;
    double squared = 0.0;
    int32_t *numbers = memory_array((size_t)model->bone_count, sizeof(int32_t));
    const LinearBlend blend = reduced_model_blend(model);
    Status status;
    if (!numbers) {
        status = status_out_of_memory("the bones");
        goto done;
    }
    STATUS_TRY(rig_begin(&blend, model->bone_count, fit->input->animation->frame_count, numbers, &result->rig,
                         &result->rest));
    result->bones_delivered = result->rig.joint_count;
    rest_round(fit);
    rig_fill_weights(model->bones, numbers, model->vertex_count, model->weights, &result->rig);
    STATUS_TRY(transformations_solve(model, &squared));
    result->singular_systems = (int)model->singular_systems;
    STATUS_TRY(transforms_restore(fit, numbers, &result->rig));
    STATUS_TRY(model->rigid ? delivered_error(fit, &squared) : reduced_model_squared_error(model, &squared));
    result->squared_error[result->iteration_count] = squared + (model->rigid ? 0.0 : fit->reduction.residual);
done:
    memory_free(numbers);
    return status;
}

/* Rounds the model of a fit to the precision of a data set and converts it to a rig. */
#include "methods/decomposition/coordinate-descent/delivery.h"

#include "datasets/base/lanes.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/slabs.h"

#include <omp.h>

enum { DELIVERY_BLOCK = 256 };

/* Converts the transformations Tr of affine bones from reduced coordinates to all frames: T = B Tr, with
 * the basis B of the reduction. The motions of rigid bones are copied, because they are stored for all
 * frames. */
static Status transforms_restore(const FitState *fit, const int32_t *numbers, Rig *rig)
{
    const ReducedModel *model = &fit->model;
    const ptrdiff_t rows = fit->reduction.row_count, dimension = model->dimension;
    LOCAL_TABLE(double, workspace, model->threads, 4 * rows, "the bone transformations");
#pragma omp parallel for schedule(dynamic) num_threads(model->threads)
    for (int bone = 0; bone < model->bone_count; bone++) {
        if (numbers[bone] < 0)
            continue;
        double *map = workspace + (size_t)omp_get_thread_num() * 4 * (size_t)rows;
        for (ptrdiff_t i = 0; i < 4 * rows && model->rigid; i++)
            map[i % 4 * rows + i / 4] = model->rigid->motions[4 * (i / 4 * model->bone_count + bone) + i % 4];
        if (!model->rigid)
            matrix_multiply(4, (int)rows, (int)dimension, 1.0,
                            matrix_by_rows(model->transforms + (ptrdiff_t)4 * bone * dimension, dimension),
                            matrix_by_rows(fit->reduction.basis, rows), 0.0, map, rows);
        rig_fill_transforms(&fit->units, map, fit->reduction.offset, numbers[bone], rig);
    }
    return status_ok();
}

/* Copies the transformations of a rig to an array [ceil(F / LANES)][joints][12][LANES], whose lanes are
 * frames. Returns the array, or NULL if memory is exhausted. Lanes without a frame are zero. */
static double *palettes_make(const Rig *rig)
{
    const ptrdiff_t joints = rig->joint_count, count = (rig->frame_count + LANES - 1) / LANES;
    double *palettes = memory_table((size_t)(count * joints), 12 * LANES, sizeof *palettes);
    for (ptrdiff_t i = 0; palettes && i < rig->frame_count * joints; i++) {
        double entries[12];
        memcpy(entries, &rig->transforms[i], sizeof entries);
        double *joint = palettes + (i / joints / LANES * joints + i % joints) * 12 * LANES;
        for (int k = 0; k < 12; k++)
            joint[k * LANES + i / joints % LANES] = entries[k];
    }
    return palettes;
}

/* Adds the squared errors of `count` vertices to errors[]. The vertices begin with vertex `number`, and their
 * errors come from `frames` frames, at most LANES. The targets begin at `targets`, and each frame is `stride`
 * numbers after the previous one. The lanes are frames because a vertex has the same rest position and the
 * same weights in every frame. */
WIDEST_VECTORS
static void lanes_measure(const Rig *rig, const float *rest, const double *palette, int number, int count,
                          const float *targets, ptrdiff_t stride, int frames, double *errors)
{
    for (ptrdiff_t j = 0; j < count; j++) {
        const float *place = rest + 3 * (number + j);
        const double x = (double)place[0], y = (double)place[1], z = (double)place[2];
        const ptrdiff_t slots = rig->influence_count, first = (number + j) * slots;
        double miss[3][LANES], squares[LANES];
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < 3; k++)
                miss[k][l] = l < frames ? -(double)targets[l * stride + 3 * j + k] : 0.0;
        for (ptrdiff_t slot = first; slot < first + slots; slot++) {
            const double weight = (double)rig->weight_values[slot];
            const double *joint = palette + (ptrdiff_t)rig->weight_joints[slot] * 12 * LANES;
            for (ptrdiff_t k = 0; k < 3; k++) {
                const double *row = joint + 4 * k * LANES;
#pragma omp simd
                for (int l = 0; l < LANES; l++)
                    miss[k][l] +=
                        (row[l] * x + row[LANES + l] * y + row[2 * LANES + l] * z + row[3 * LANES + l]) *
                        weight;
            }
        }
#pragma omp simd
        for (int l = 0; l < LANES; l++)
            squares[l] = miss[0][l] * miss[0][l] + miss[1][l] * miss[1][l] + miss[2][l] * miss[2][l];
        for (int l = 0; l < frames; l++)
            errors[j] += squares[l];
    }
}

/* Measures ||A - A'||^2 between the animation A and the model's prediction A', in one pass over the
 * animation. The error in the reduced space would not suffice: rigid motions are not an unconstrained
 * optimum, so their error is not orthogonal to what the reduction leaves out. */
static Status delivery_measure(const FitState *fit, Delivery *delivery)
{
    const ReducedModel *model = &fit->model;
    const Rig *rig = &delivery->rig;
    OWNED_BY(slabs_close) Slabs *slabs = NULL;
    OWNED double *palettes = palettes_make(rig);
    ALLOCATED(palettes, "the bone transformations");
    LOCAL_ARRAY(double, errors, model->vertex_count, "the error of the vertices");
    STATUS_TRY(slabs_open(fit->input->animation, model->vertex_count, DELIVERY_BLOCK, &slabs));
    for (;;) {
        Slab slab = {0};
        STATUS_TRY(slabs_next(slabs, &slab));
        if (slab.count == 0)
            break;
        const ptrdiff_t stride = (ptrdiff_t)3 * slab.count;
#pragma omp parallel for schedule(static) num_threads(model->threads)
        for (int first = 0; first < slab.count; first += DELIVERY_BLOCK)
            for (int frame = 0; frame < rig->frame_count; frame += LANES)
                lanes_measure(rig, delivery->rest, palettes + (ptrdiff_t)12 * frame * rig->joint_count,
                              model->first_vertex + slab.first + first,
                              int_min(DELIVERY_BLOCK, slab.count - first),
                              slab.positions + frame * stride + (ptrdiff_t)3 * first, stride,
                              int_min(LANES, rig->frame_count - frame), errors + slab.first + first);
    }
    delivery->squared_error = reduced_model_sum(model, errors);
    return status_ok();
}

void delivery_clear(Delivery *delivery)
{
    rig_clear(&delivery->rig);
    memory_free(delivery->rest);
    *delivery = (Delivery){0};
}

void delivery_swap(Delivery *delivery, DecompositionResult *result)
{
    const Delivery other = {.rig = result->rig, .rest = result->rest};
    result->rig = delivery->rig;
    result->rest = delivery->rest;
    result->bones_delivered = result->rig.joint_count;
    *delivery = other;
}

Status delivery_make(FitState *fit, Delivery *delivery)
{
    ReducedModel *model = &fit->model;
    const RestUnits *units = &fit->units;
    const LinearBlend blend = reduced_model_blend(model);
    LOCAL_ARRAY(int32_t, numbers, model->bone_count, "the bones");
    STATUS_TRY(rig_begin(&blend, model->ranks, model->all_vertices, model->bone_count,
                         fit->input->animation->frame_count, numbers, &delivery->rig, &delivery->rest));
    Rig *rig = &delivery->rig;
    const int all = model->all_vertices;
    const ptrdiff_t influences = rig->influence_count, first = model->first_vertex;
    float *rest = delivery->rest + 3 * first;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * model->vertex_count; i++) {
        rest[i] = (float)(units->center[i % 3] + units->unit * model->rest[i]);
        model->rest[i] = ((double)rest[i] - units->center[i % 3]) / units->unit;
    }
    rig_fill_weights(model->bones, numbers, model->first_vertex, model->vertex_count, model->weights, rig);
    STATUS_TRY(transformations_solve(model, &delivery->squared_error));
    delivery->squared_error += fit->reduction.residual;
    STATUS_TRY(transforms_restore(fit, numbers, rig));
    /* collect rest pose, influences and transformations from all ranks */
    ranks_gather(model->ranks, all, 3 * sizeof(float), rest, delivery->rest);
    ranks_gather(model->ranks, all, (size_t)influences * sizeof(int32_t),
                 rig->weight_joints + first * influences, rig->weight_joints);
    ranks_gather(model->ranks, all, (size_t)influences * sizeof(float),
                 rig->weight_values + first * influences, rig->weight_values);
    ranks_broadcast(model->ranks, rig->transforms,
                    (size_t)rig->frame_count * (size_t)rig->joint_count * sizeof(Transform));
    return model->rigid ? delivery_measure(fit, delivery) : status_ok();
}

/* A sweep updates the rest pose and weights of every vertex, and then all transformations (FESAM section
 * 4). If an accelerated step does not lower the error, it is undone. */
#include "methods/decomposition/coordinate-descent/alternation.h"

#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "methods/reduction/dense.h"

static size_t slot_count(const ReducedModel *model)
{
    return (size_t)model->vertex_count * (size_t)model->influence_count;
}

/* Returns the unknowns that acceleration extrapolates: the motions of rigid bones, or the
 * transformations. */
static double *unknowns_of(const ReducedModel *model)
{
    return model->rigid ? model->rigid->motions : model->transforms;
}

static size_t unknowns_count(const ReducedModel *model)
{
    size_t rows = model->rigid ? 3 * (size_t)model->rigid->frame_count : (size_t)model->dimension;
    return 4 * (size_t)model->bone_count * rows;
}

Status snapshot_init(Snapshot *state, const ReducedModel *model)
{
    *state = (Snapshot){0};
    ALLOCATE(state->unknowns, unknowns_count(model), "the state of a sweep");
    ALLOCATE_TABLE(state->rest, model->vertex_count, 3, "the state of a sweep");
    ALLOCATE(state->bones, slot_count(model), "the state of a sweep");
    ALLOCATE(state->weights, slot_count(model), "the state of a sweep");
    return status_ok();
}

void snapshot_clear(Snapshot *state)
{
    FREE_ALL(state->unknowns, state->rest, state->bones, state->weights);
    *state = (Snapshot){0};
}

/* Copies rest pose, bones and weights of the model to the snapshot. */
static void snapshot_copy_vertices(Snapshot *state, const ReducedModel *model)
{
    memcpy(state->rest, model->rest, 3 * (size_t)model->vertex_count * sizeof(double));
    memcpy(state->bones, model->bones, slot_count(model) * sizeof(int32_t));
    memcpy(state->weights, model->weights, slot_count(model) * sizeof(double));
}

void snapshot_copy(Snapshot *state, const ReducedModel *model)
{
    memcpy(state->unknowns, unknowns_of(model), unknowns_count(model) * sizeof(double));
    snapshot_copy_vertices(state, model);
}

void snapshot_restore(const Snapshot *state, ReducedModel *model)
{
    memcpy(model->rest, state->rest, 3 * (size_t)model->vertex_count * sizeof(double));
    memcpy(model->bones, state->bones, slot_count(model) * sizeof(int32_t));
    memcpy(model->weights, state->weights, slot_count(model) * sizeof(double));
    memcpy(unknowns_of(model), state->unknowns, unknowns_count(model) * sizeof(double));
    transformations_update_gram(model);
}

void alternation_keep(const Alternation *alternation, Snapshot *state)
{
    snapshot_copy(state, alternation->model);
    state->squared_error = alternation->squared_error;
    state->paid = alternation->paid;
}

void alternation_return(Alternation *alternation, const Snapshot *state)
{
    snapshot_restore(state, alternation->model);
    acceleration_reset(&alternation->acceleration);
    alternation->squared_error = state->squared_error;
    alternation->paid = state->paid;
    alternation->mixed = false;
}

bool alternation_is_better(const Alternation *alternation, const Snapshot *state)
{
    return alternation->squared_error + alternation->paid < state->squared_error + state->paid;
}

void alternation_undo_acceleration(Alternation *alternation)
{
    if (alternation->mixed) {
        memcpy(unknowns_of(alternation->model), alternation->last.unknowns,
               alternation->acceleration.size * sizeof(double));
        transformations_update_gram(alternation->model);
    }
    acceleration_reset(&alternation->acceleration);
    alternation->mixed = false;
}

Status alternation_make(Alternation *alternation, ReducedModel *model, double squared_error, int window)
{
    size_t size = unknowns_count(model);
    *alternation = (Alternation){.model = model, .squared_error = squared_error};
    STATUS_TRY(acceleration_make(&alternation->acceleration, window, size));
    STATUS_TRY(snapshot_init(&alternation->last, model));
    ALLOCATE(alternation->point, size, "the state of a sweep");
    return status_ok();
}

void alternation_clear(Alternation *alternation)
{
    acceleration_clear(&alternation->acceleration);
    snapshot_clear(&alternation->last);
    memory_free(alternation->point);
    *alternation = (Alternation){0};
}

Status alternation_sweep(Alternation *alternation, const VertexUpdateOptions *options, bool settling)
{
    ReducedModel *model = alternation->model;
    Acceleration *acceleration = &alternation->acceleration;
    const bool accelerated = settling && acceleration->window > 0;
    const size_t bytes = acceleration->size * sizeof(double);
    VertexUpdateOptions sweep = *options;
    sweep.outlier *= alternation->squared_error / model->all_vertices;
    if (accelerated && alternation->mixed)
        snapshot_copy_vertices(&alternation->last, model);
    STATUS_TRY(vertices_update(model, &sweep));
    /* if accelerated transformations do not lower the error, update for those of the last sweep */
    if (accelerated && alternation->mixed &&
        !(reduced_model_sum(model, model->errors) < alternation->squared_error)) {
        alternation->last.squared_error = alternation->squared_error;
        alternation->last.paid = alternation->paid;
        alternation_return(alternation, &alternation->last);
        STATUS_TRY(vertices_update(model, &sweep));
    }
    if (accelerated)
        memcpy(alternation->point, unknowns_of(model), bytes);
    alternation->paid = smoothing_paid(model);
    STATUS_TRY(transformations_solve(model, &alternation->squared_error));
    if (model->rigid)
        STATUS_TRY(rigid_reseed(model, settling ? 0.0 : 1.0));
    if (!accelerated)
        return status_ok();
    /* compute the transformations from which the next sweep starts */
    memcpy(alternation->last.unknowns, unknowns_of(model), bytes);
    if (ranks_is_first(model->ranks))
        acceleration_next(acceleration, alternation->point, alternation->last.unknowns,
                          model->rigid ? NULL : model->gradient);
    ranks_broadcast(model->ranks, alternation->point, bytes);
    alternation->mixed = ranks_decide(model->ranks, acceleration->count > 0);
    if (alternation->mixed) {
        memcpy(unknowns_of(model), alternation->point, bytes);
        if (model->rigid)
            rigid_restore(model);
        else
            transformations_update_gram(model);
    }
    return status_ok();
}

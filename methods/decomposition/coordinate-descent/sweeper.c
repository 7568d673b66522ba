#include "methods/decomposition/coordinate-descent/sweeper.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/rigid.h"
#include "methods/decomposition/coordinate-descent/transformations.h"

#include <string.h>

static size_t slot_count(const Descent *descent)
{
    return (size_t)descent->vertex_count * (size_t)descent->influence_count;
}

/* What sweeps are mixed in. */
static double *unknowns_of(const Descent *descent)
{
    return descent->rigid ? descent->rigid->motions : descent->transforms;
}

static size_t unknowns_count(const Descent *descent)
{
    size_t rows = descent->rigid ? 3 * (size_t)descent->rigid->frame_count : (size_t)descent->dimension;
    return 4 * (size_t)descent->bone_count * rows;
}

Status sweeper_state_make(SweeperState *state, const Sweeper *sweeper)
{
    const Descent *descent = sweeper->descent;
    *state = (SweeperState){0};
    state->unknowns = memory_array(sweeper->acceleration.size, sizeof(double));
    state->rest = memory_table((size_t)descent->vertex_count, 3, sizeof(double));
    state->bones = memory_array(slot_count(descent), sizeof(int32_t));
    state->weights = memory_array(slot_count(descent), sizeof(double));
    if (state->unknowns && state->rest && state->bones && state->weights)
        return status_ok();
    sweeper_state_clear(state);
    return status_out_of_memory("the state of a sweep");
}

void sweeper_state_clear(SweeperState *state)
{
    memory_free(state->unknowns);
    memory_free(state->rest);
    memory_free(state->bones);
    memory_free(state->weights);
    *state = (SweeperState){0};
}

/* Rest pose, bones and weights. */
static void state_take_vertices(SweeperState *state, const Descent *descent)
{
    memcpy(state->rest, descent->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(state->bones, descent->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(state->weights, descent->weights, slot_count(descent) * sizeof(double));
}

void sweeper_state_take(SweeperState *state, const Sweeper *sweeper)
{
    state->squared_error = sweeper->squared_error;
    memcpy(state->unknowns, unknowns_of(sweeper->descent), sweeper->acceleration.size * sizeof(double));
    state_take_vertices(state, sweeper->descent);
}

void sweeper_state_return(const SweeperState *state, Sweeper *sweeper)
{
    Descent *descent = sweeper->descent;
    memcpy(descent->rest, state->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(descent->bones, state->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(descent->weights, state->weights, slot_count(descent) * sizeof(double));
    memcpy(unknowns_of(descent), state->unknowns, sweeper->acceleration.size * sizeof(double));
    descent_update_gram(descent);
    acceleration_reset(&sweeper->acceleration);
    sweeper->squared_error = state->squared_error;
    sweeper->mixed = false;
}

void sweeper_unmix(Sweeper *sweeper)
{
    if (sweeper->mixed) {
        memcpy(unknowns_of(sweeper->descent), sweeper->last.unknowns,
               sweeper->acceleration.size * sizeof(double));
        descent_update_gram(sweeper->descent);
    }
    acceleration_reset(&sweeper->acceleration);
    sweeper->mixed = false;
}

Status sweeper_make(Sweeper *sweeper, Descent *descent, double squared_error, int window)
{
    size_t size = unknowns_count(descent);
    *sweeper = (Sweeper){.descent = descent, .squared_error = squared_error};
    Status status;
    STATUS_TRY(acceleration_make(&sweeper->acceleration, window, size));
    STATUS_TRY(sweeper_state_make(&sweeper->last, sweeper));
    sweeper->point = memory_array(size, sizeof(double));
    if (!sweeper->point)
        status = status_out_of_memory("the state of a sweep");
done:
    if (status.code != STATUS_OK)
        sweeper_clear(sweeper);
    return status;
}

void sweeper_clear(Sweeper *sweeper)
{
    acceleration_clear(&sweeper->acceleration);
    sweeper_state_clear(&sweeper->last);
    memory_free(sweeper->point);
    *sweeper = (Sweeper){0};
}

static double vertex_errors_sum(const Descent *descent)
{
    double sum = 0.0;
    for (int j = 0; j < descent->vertex_count; j++)
        sum += descent->errors[j];
    return sum;
}

/* The vertices under the mixed transformations; should the error not fall, once more under the plain ones. */
static Status vertices_settle(Sweeper *sweeper, const SweepOptions *options)
{
    Descent *descent = sweeper->descent;
    if (sweeper->mixed)
        state_take_vertices(&sweeper->last, descent);
    Status status = sweep_vertices(descent, options);
    if (status.code == STATUS_OK && sweeper->mixed &&
        !(vertex_errors_sum(descent) < sweeper->squared_error)) {
        sweeper->last.squared_error = sweeper->squared_error;
        sweeper_state_return(&sweeper->last, sweeper);
        status = sweep_vertices(descent, options);
    }
    memcpy(sweeper->point, unknowns_of(descent), sweeper->acceleration.size * sizeof(double));
    return status;
}

/* The transformations the next sweep starts from. */
static Status transforms_mix(Sweeper *sweeper)
{
    Descent *descent = sweeper->descent;
    size_t size = sweeper->acceleration.size;
    memcpy(sweeper->last.unknowns, unknowns_of(descent), size * sizeof(double));
    Status status = acceleration_next(&sweeper->acceleration, sweeper->point, sweeper->last.unknowns);
    sweeper->mixed = sweeper->acceleration.count > 0;
    if (status.code == STATUS_OK && sweeper->mixed) {
        memcpy(unknowns_of(descent), sweeper->point, size * sizeof(double));
        if (descent->rigid)
            rigid_restore(descent);
        else
            descent_update_gram(descent);
    }
    return status;
}

Status sweeper_sweep(Sweeper *sweeper, const SweepOptions *options, bool settling)
{
    bool accelerated = settling && sweeper->acceleration.window > 0;
    SweepOptions sweep = *options;
    Status status;
    sweep.outlier *= sweeper->squared_error / sweeper->descent->vertex_count;
    if (accelerated)
        STATUS_TRY(vertices_settle(sweeper, &sweep));
    else
        STATUS_TRY(sweep_vertices(sweeper->descent, &sweep));
    STATUS_TRY(transformations_solve(sweeper->descent, &sweeper->squared_error));
    if (sweeper->descent->rigid)
        STATUS_TRY(rigid_reseed(sweeper->descent, settling ? 0.0 : 1.0));
    if (accelerated)
        STATUS_TRY(transforms_mix(sweeper));
done:
    return status;
}

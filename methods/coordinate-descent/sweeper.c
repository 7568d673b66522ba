#include "methods/coordinate-descent/sweeper.h"

#include "datasets/base/memory.h"
#include "methods/coordinate-descent/rigid.h"
#include "methods/coordinate-descent/transformations.h"

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

Status sweeper_make(Sweeper *sweeper, Descent *descent, double squared_error, int window)
{
    size_t size = unknowns_count(descent);
    *sweeper = (Sweeper){.descent = descent, .squared_error = squared_error};
    Status status = acceleration_make(&sweeper->acceleration, window, size);
    if (status.code != STATUS_OK)
        return status;
    sweeper->point = memory_array(size, sizeof(double));
    sweeper->image = memory_array(size, sizeof(double));
    sweeper->rest = memory_table((size_t)descent->vertex_count, 3, sizeof(double));
    sweeper->bones = memory_array(slot_count(descent), sizeof(int32_t));
    sweeper->weights = memory_array(slot_count(descent), sizeof(double));
    if (sweeper->point && sweeper->image && sweeper->rest && sweeper->bones && sweeper->weights)
        return status;
    sweeper_clear(sweeper);
    return status_out_of_memory("the state of the last sweep");
}

void sweeper_clear(Sweeper *sweeper)
{
    acceleration_clear(&sweeper->acceleration);
    memory_free(sweeper->point);
    memory_free(sweeper->image);
    memory_free(sweeper->rest);
    memory_free(sweeper->bones);
    memory_free(sweeper->weights);
    *sweeper = (Sweeper){0};
}

void sweeper_unmix(Sweeper *sweeper)
{
    if (!sweeper->mixed)
        return;
    memcpy(unknowns_of(sweeper->descent), sweeper->image, sweeper->acceleration.size * sizeof(double));
    descent_update_gram(sweeper->descent);
    sweeper->mixed = false;
}

/* Keeps rest pose, bones and weights. */
static void state_keep(Sweeper *sweeper)
{
    const Descent *descent = sweeper->descent;
    memcpy(sweeper->rest, descent->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(sweeper->bones, descent->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(sweeper->weights, descent->weights, slot_count(descent) * sizeof(double));
}

/* Puts them back, with the transformations the last sweep ended with. */
static void state_return(Sweeper *sweeper)
{
    Descent *descent = sweeper->descent;
    memcpy(descent->rest, sweeper->rest, 3 * (size_t)descent->vertex_count * sizeof(double));
    memcpy(descent->bones, sweeper->bones, slot_count(descent) * sizeof(int32_t));
    memcpy(descent->weights, sweeper->weights, slot_count(descent) * sizeof(double));
    sweeper_unmix(sweeper);
    acceleration_reset(&sweeper->acceleration);
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
        state_keep(sweeper);
    Status status = sweep_vertices(descent, options);
    if (status.code == STATUS_OK && sweeper->mixed &&
        !(vertex_errors_sum(descent) < sweeper->squared_error)) {
        state_return(sweeper);
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
    memcpy(sweeper->image, unknowns_of(descent), size * sizeof(double));
    Status status = acceleration_next(&sweeper->acceleration, sweeper->point, sweeper->image);
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

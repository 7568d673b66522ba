/* What a cell must take at least: what its kernel computes, reads and writes, over what the machine can do. */
#include "harness/bench/group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The limits that one cell is held against, and what it needs of them per vertex and frame. */
typedef struct CellNeeds {
    KernelWork work;
    double *arithmetic_per_s, *loads_per_s, *bytes_per_s; /* of the bench's limits */
    double threads;                                       /* that the first two are multiplied by */
    int vector_lanes;
    bool fused, known;
    MemoryLevel memory; /* that holds the results of all frames, packed */
} CellNeeds;

/* Vector instructions at least: what can be fused is. */
static double instructions_of(OperationCounts counts, bool fused)
{
    return (fused ? fmax(counts.additions, counts.multiplications)
                  : counts.additions + counts.multiplications) +
           counts.divisions;
}

/* A byte that is written below L1 moves twice (timing/limits.h). */
static double bytes_of(double reals, MemoryLevel memory)
{
    return sizeof(float) * reals * (memory == MEMORY_L1 ? 1.0 : 2.0);
}

static Status needs_make(const Group *group, const SkinningCell *cell, CellNeeds *out)
{
    Limits *limits = &group->bench->limits;
    const char *level = skinner_simd_level(cell->skinner);
    const double components = cell->plan.normals ? 6.0 : 3.0;
    const double results =
        sizeof(float) * components * cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    int vector_lanes = 1;
    bool fused = false;
    /* Without vectors: as many instructions as the least level does, on one lane and not fused. */
    const int simd = level && level[0] != '\0' ? limits_simd_level(level, &vector_lanes, &fused) : 0;
    *out = (CellNeeds){.known = false};
    if (!level || simd < 0 || cell->posing->frame_count == 0)
        return status_ok();
    const Status status = skinner_work(cell->skinner, cell->posing->transforms, vector_lanes, &out->work);
    if (status.code == STATUS_UNAVAILABLE)
        return status_ok();
    const MemoryLevel memory = limits_level_of(limits, results);
    out->memory = memory;
    out->arithmetic_per_s = &limits->arithmetic_per_s[simd];
    out->loads_per_s = &limits->loads_per_s[simd];
    out->bytes_per_s = cell->plan.threads > 1 ? &limits->all_threads[memory] : &limits->one_thread[memory];
    out->threads = cell->plan.threads;
    out->vector_lanes = vector_lanes;
    out->fused = fused;
    out->known = status.code == STATUS_OK;
    return status;
}

static double fastest_ns(const SkinningCell *cell, Stage stage)
{
    const TimedWork *work = &cell->works[stage - STAGE_POSE];
    double least = INFINITY;
    for (int i = 0; i < work->sample_count; i++)
        least = fmin(least, work->samples[i]);
    return 1e9 * least / ((double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count);
}

/* What a cell did in its fastest samples, the machine can do. */
static void limits_raise_by(const SkinningCell *cell, const CellNeeds *needs)
{
    const double components = cell->plan.normals ? 6.0 : 3.0;
    const double skin_s = 1e-9 * fastest_ns(cell, STAGE_SKIN), frame_s = 1e-9 * fastest_ns(cell, STAGE_FRAME);
    const double either_s = fmin(skin_s, frame_s);
    limits_raise(needs->arithmetic_per_s,
                 instructions_of(needs->work.lanes, needs->fused) / either_s / needs->threads);
    limits_raise(needs->loads_per_s, needs->work.loads / either_s / needs->threads);
    limits_raise(needs->bytes_per_s, bytes_of(needs->work.result_reals, needs->memory) / skin_s);
    limits_raise(needs->bytes_per_s, bytes_of(components, needs->memory) / frame_s);
}

Status group_limits_measure(Group *group)
{
    Bench *bench = group->bench;
    Status status;
    STATUS_TRY(limits_measure(bench->threads, &bench->bandwidth, &bench->limits));
    for (int i = 0; i < group->cell_count; i++) {
        CellNeeds needs;
        if (!group->cells[i].live || group->cells[i].works[0].sample_count == 0)
            continue;
        STATUS_TRY(needs_make(group, &group->cells[i], &needs));
        if (needs.known)
            limits_raise_by(&group->cells[i], &needs);
    }
done:
    return status;
}

Status group_roof_make(const Group *group, const SkinningCell *cell, Roof *out)
{
    const double components = cell->plan.normals ? 6.0 : 3.0;
    CellNeeds needs;
    const Status status = needs_make(group, cell, &needs);
    if (status.code != STATUS_OK || !needs.known)
        return status;
    const double arithmetic_per_ns = 1e-9 * *needs.arithmetic_per_s * needs.threads;
    *out = (Roof){.cycles_per_ns = 1e-9 * group->bench->limits.cycles_per_s,
                  .arithmetic_ns = instructions_of(needs.work.vertex, needs.fused) / needs.vector_lanes /
                                   arithmetic_per_ns,
                  .arithmetic_tiled_ns = instructions_of(needs.work.lanes, needs.fused) / arithmetic_per_ns,
                  .loads_ns = needs.work.loads / (1e-9 * *needs.loads_per_s * needs.threads),
                  .lanes_ns = bytes_of(needs.work.result_reals, needs.memory) / (1e-9 * *needs.bytes_per_s),
                  .packed_ns = bytes_of(components, needs.memory) / (1e-9 * *needs.bytes_per_s)};
    snprintf(out->memory, sizeof out->memory, "%s", memory_level_names[needs.memory]);
    return status;
}

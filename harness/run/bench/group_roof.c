/* What a cell must take at least: what its kernel computes, reads and writes, over what the machine can
 * do. */
#include "harness/run/bench/group.h"

enum { LIMIT_TURNS = 3 };

/* What one cell needs per vertex and frame, and of the limits those that it is compared with. */
typedef struct CellNeeds {
    KernelWork task;
    double arithmetic_per_s, loads_per_s; /* of all its threads */
    double lanes_s, packed_s;             /* to write the results in lanes, and packed */
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

static Status needs_make(const Group *group, const SkinningCell *cell, CellNeeds *out)
{
    const Limits *limits = &group->bench->limits;
    const char *level = skinner_simd_level(cell->skinner);
    const int threads = cell->plan.threads;
    const double points = (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    const double results = sizeof(float) * (cell->plan.normals ? 6.0 : 3.0) * points;
    FrameWrites writes;
    int vector_lanes = 1;
    bool fused = false;
    /* Without vectors: as many instructions as the least level does, on one lane and not fused. */
    const int simd = level && level[0] != '\0' ? limits_simd_level(level, &vector_lanes, &fused) : 0;
    *out = (CellNeeds){.known = false};
    if (!level || simd < 0 || points == 0.0 || !skinner_frame_writes(cell->skinner, &writes))
        return status_ok();
    const Status status = skinner_work(cell->skinner, cell->posing->transforms, vector_lanes, &out->task);
    if (status.code == STATUS_UNAVAILABLE)
        return status_ok();
    const double dram_per_s =
        threads > 1 ? limits->all_threads[MEMORY_DRAM] : limits->one_thread[MEMORY_DRAM];
    out->memory = limits_level_of(limits, results);
    out->arithmetic_per_s = limits->arithmetic_per_s[simd] * threads;
    out->loads_per_s = limits->loads_per_s[simd] * threads;
    out->lanes_s =
        limits_written_s(limits, threads, sizeof(float) * out->task.result_reals * points) / points;
    /* What goes past the caches is not fetched before: its bytes move once. */
    out->packed_s = (limits_written_s(limits, threads, (1.0 - writes.streamed) * results) +
                     writes.streamed * results / dram_per_s) /
                    points;
    out->vector_lanes = vector_lanes;
    out->fused = fused;
    out->known = status.code == STATUS_OK;
    return status;
}

Status group_limits_measure(Group *group)
{
    return limits_measure(group->bench->threads, &group->bench->bandwidth, &group->bench->limits);
}

Status group_limits_resolve(Group *group)
{
    for (int turn = 0; turn < LIMIT_TURNS; turn++) {
        bool exceeds = false;
        STATUS_TRY(group_limits_measure(group));
        for (int i = 0; i < group->cell_count; i++)
            if (group->cells[i].live && group->cells[i].tasks[0].sample_count > 0) {
                const SkinningCell *cell = &group->cells[i];
                const double points =
                    (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
                const TimedTask *skin = &cell->tasks[STAGE_SKIN - STAGE_POSE],
                                *frame = &cell->tasks[STAGE_FRAME - STAGE_POSE];
                Roof roof = {NAN, NAN, NAN, NAN, NAN, NAN, ""};
                STATUS_TRY(group_roof_make(group, cell, &roof));
                const double
                    skin_s =
                        statistics_of(skin->samples, (size_t)skin->sample_count, 1, group->scratch).median,
                    frame_s =
                        statistics_of(frame->samples, (size_t)frame->sample_count, 1, group->scratch).median;
                exceeds = exceeds || 1e9 * skin_s < points * roof_skin_ns(&roof) ||
                          1e9 * frame_s < points * roof_frame_ns(&roof);
            }
        if (!exceeds)
            break;
    }
    return status_ok();
}

Status group_roof_make(const Group *group, const SkinningCell *cell, Roof *out)
{
    CellNeeds needs;
    STATUS_TRY(needs_make(group, cell, &needs));
    if (!needs.known)
        return status_ok();
    const double arithmetic_per_ns = 1e-9 * needs.arithmetic_per_s;
    *out = (Roof){.cycles_per_ns = 1e-9 * group->bench->limits.cycles_per_s,
                  .arithmetic_ns = instructions_of(needs.task.vertex, needs.fused) / needs.vector_lanes /
                                   arithmetic_per_ns,
                  .arithmetic_tiled_ns = instructions_of(needs.task.lanes, needs.fused) / arithmetic_per_ns,
                  .loads_ns = 1e9 * needs.task.loads / needs.loads_per_s,
                  .lanes_ns = 1e9 * needs.lanes_s,
                  .packed_ns = 1e9 * needs.packed_s};
    snprintf(out->memory, sizeof out->memory, "%s", memory_level_names[needs.memory]);
    return status_ok();
}

/* Computes a lower bound of a cell's time: the operations, reads and writes of its kernel, divided by the
 * machine's limits. */
#include "harness/run/bench/group.h"

enum { LIMIT_TURNS = 3 };

/* Returns a lower bound of the nanoseconds of one thread. A division takes at least as long as a
 * multiplication. */
static double arithmetic_ns(const Limits *limits, int level, OperationCounts counts)
{
    return 1e9 *
           limits_arithmetic_s(limits, level, counts.additions, counts.multiplications + counts.divisions);
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
                Roof roof = {NAN, NAN, NAN, NAN, NAN, NAN, "", ""};
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
    const Limits *limits = &group->bench->limits;
    const char *level = skinner_simd_level(cell->skinner);
    const int threads = cell->plan.threads;
    const double points = (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    const double results = sizeof(float) * (cell->plan.normals ? 6.0 : 3.0) * points;
    KernelWork work;
    int vector_lanes = 1;
    /* Without vector instructions, each instruction handles one number. A compiler may then keep values that
     * vertices share in registers. */
    enum { SCALAR_REGISTERS = 32 };
    const bool scalar = level && level[0] == '\0';
    const int simd = level && !scalar ? limits_simd_level(level, &vector_lanes) : 0;
    if (!level || simd < 0 || points == 0.0)
        return status_ok();
    const Status status = skinner_work(cell->skinner, cell->posing->transforms, vector_lanes, &work);
    if (status.code == STATUS_UNAVAILABLE)
        return status_ok();
    STATUS_TRY(status);
    const double packed_s = limits_written_s(limits, threads, results) / points;
    const double lanes_s =
        limits_written_s(limits, threads, sizeof(float) * work.result_reals * points) / points;
    const double loads = scalar ? fmax(work.loads - SCALAR_REGISTERS, 1.0) : work.loads;
    *out = (Roof){.cycles_per_ns = 1e-9 * limits->cycles_per_s,
                  .arithmetic_ns = arithmetic_ns(limits, simd, work.vertex) / vector_lanes / threads,
                  .arithmetic_tiled_ns = arithmetic_ns(limits, simd, work.lanes) / threads,
                  .loads_ns = 1e9 * loads / (limits->loads_per_s[simd] * threads),
                  .lanes_ns = 1e9 * lanes_s,
                  .packed_ns = 1e9 * packed_s};
    /* find the memory level that can hold the packed results of all frames */
    snprintf(out->memory, sizeof out->memory, "%s", memory_level_names[limits_level_of(limits, results)]);
    return status_ok();
}

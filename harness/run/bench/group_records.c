/* Turns the samples of a group into records: times, and ratios of samples from the same rounds. */
#include "harness/run/bench/group.h"

#include "harness/records/files/noise.h"
#include "harness/run/peers/plain_loop.h"

static const TimedTask *task_of(const SkinningCell *cell, Stage stage)
{
    return &cell->tasks[stage - STAGE_POSE];
}

/* Returns the number of disturbed samples of the skin stage or of the frame stage, whichever is larger. */
static int cell_disturbed(const SkinningCell *cell)
{
    return int_max(task_of(cell, STAGE_SKIN)->disturbed, task_of(cell, STAGE_FRAME)->disturbed);
}

/* The task that timed a stage, and the number of frames that a run of the task covers. */
typedef struct TimedFrames {
    const TimedTask *task; /* NULL if the stage was not timed */
    int frames;
} TimedFrames;

/* Returns the ratio of two times per frame in the same rounds; NAN if either was not timed. */
static Interval ratio_of(const Group *group, TimedFrames a, TimedFrames b)
{
    if (!a.task || !b.task)
        return (Interval){NAN, NAN, NAN};
    const int count = int_min(a.task->sample_count, b.task->sample_count);
    const Statistics s =
        statistics_of_ratios(a.task->samples, b.task->samples, (size_t)count, 1, group->scratch);
    return interval_of(&s, (double)b.frames / a.frames);
}

static TimedFrames frames_of(const SkinningCell *cell, Stage stage)
{
    return (TimedFrames){task_of(cell, stage), cell->posing->frame_count};
}

/* Returns the task of one stage of a plan's cell, with its number of frames; task is NULL if the stage was
 * not timed. */
static TimedFrames frames_of_plan(const Group *group, const SkinningPlan *plan, Stage stage)
{
    const SkinningCell *cell = group_cell_find(group, plan);
    return cell && cell->live ? frames_of(cell, stage) : (TimedFrames){NULL, 0};
}

static TimedFrames frames_of_plain_loop(const Group *group, int threads)
{
    for (const PeerCell *peer = group->peers; peer < group->peers + group->peer_count; peer++)
        if (peer->live && peer->threads == threads && peer->peer == plain_loop_peer())
            return (TimedFrames){&peer->task, peer->posing->frame_count};
    return (TimedFrames){NULL, 0};
}

static Status cell_timing(const Group *group, const SkinningCell *cell, RoundsEnd end, Timing *timing)
{
    SkinningPlan lbs = skinning_plan_of_lbs(&cell->plan), scalar = skinning_plan_of_scalar(&cell->plan);
    const double vertices = (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    STATUS_TRY(timing_set(timing, STAGE_BIND, &cell->bind_s, 1, 1, group->scratch));
    STATUS_TRY(timing_set(timing, STAGE_FIRST_FRAME, &cell->first_frame_s, 1, 1, group->scratch));
    for (int i = 0; i < TIMED_STAGES; i++) {
        const TimedTask *task = &cell->tasks[i];
        STATUS_TRY(timing_set(timing, timed_stage(i), task->samples, task->sample_count, task->inner,
                              group->scratch));
    }
    timing->device = skinning_cell_device(cell, group->scratch);
    timing->frame_straight = skinner_frame_straight(cell->skinner);
    timing->rounds = task_of(cell, STAGE_SKIN)->sample_count;
    const SkinningCell *beside = group_cell_find(group, &lbs);
    timing->disturbed = cell_disturbed(cell);
    if (beside && beside->live && cell_disturbed(beside) > timing->disturbed)
        timing->disturbed = cell_disturbed(beside);
    snprintf(timing->end, sizeof timing->end, "%s", rounds_end_name(end));
    STATUS_TRY(group_roof_make(group, cell, &timing->roof));
    /* compute the values that are derived from the stages' times */
    const Statistics *skin = &timing_stage(timing, STAGE_SKIN)->statistics;
    const Statistics *frame = &timing_stage(timing, STAGE_FRAME)->statistics;
    timing->derived[DERIVED_FRAME_NS_PER_VERTEX] = interval_of(frame, 1e9 / vertices);
    timing->derived[DERIVED_FRAME_RATIO_TO_LBS] =
        ratio_of(group, frames_of(cell, STAGE_FRAME), frames_of_plan(group, &lbs, STAGE_FRAME));
    if (!cell->plan.normals && !cell->plan.two_phase)
        timing->derived[DERIVED_FRAME_RATIO_TO_PLAIN] =
            ratio_of(group, frames_of(cell, STAGE_FRAME), frames_of_plain_loop(group, cell->plan.threads));
    timing->derived[DERIVED_NS_PER_VERTEX] = interval_of(skin, 1e9 / vertices);
    roof_judge(&timing->roof, 1e9 / vertices * skin->median, 1e9 / vertices * frame->median);
    timing->derived[DERIVED_RATIO_TO_LBS] =
        ratio_of(group, frames_of(cell, STAGE_SKIN), frames_of_plan(group, &lbs, STAGE_SKIN));
    timing->derived[DERIVED_RATIO_TO_SCALAR] =
        ratio_of(group, frames_of(cell, STAGE_SKIN), frames_of_plan(group, &scalar, STAGE_SKIN));
    return status_ok();
}

/* Appends the noise record: a cell and its copy were timed in the same rounds, and the ratio of their skin
 * stages is the run's own noise. If a run was killed after appending this record but before its cells, the
 * record is already in the file, made from the same samples in the journal. */
static Status noise_append(Group *group)
{
    const SkinningCell *noise_control = &group->cells[group->noise_control],
                       *original = &group->cells[group->noise_control_of < 0 ? group->noise_control
                                                                             : group->noise_control_of];
    CLEANUP(record_clear) Record noise = {0};
    if (group->noise_control_of < 0 || !original->live || !noise_control->live)
        return status_ok();
    const TimedTask *first = task_of(noise_control, STAGE_SKIN), *second = task_of(original, STAGE_SKIN);
    const int count = int_min(first->sample_count, second->sample_count);
    STATUS_TRY(noise_record_make(&original->record.cell, first->samples, second->samples, count,
                                 group->scratch, &noise));
    const Bench *bench = group->bench;
    if (!noise_records_equal(record_store_find(bench->store, &noise.cell, bench->environment.machine),
                             &noise))
        return bench_append(group->bench, &noise);
    return status_ok();
}

Status group_records_append(Group *group, RoundsEnd end)
{
    STATUS_TRY(group_limits_resolve(group));
    STATUS_TRY(noise_append(group));
    for (int i = 0; i < group->peer_count; i++) {
        PeerCell *peer = &group->peers[i];
        if (peer->already_done)
            continue;
        if (peer->live) {
            /* Divide the time of the peer's frame stage by that of LBS on simd, and by that of the plain
             * loop with the same number of threads. */
            Timing *timing = &peer->record.timing;
            const TimedTask *task = &peer->task;
            const TimedFrames peer_frames = {task, peer->posing->frame_count};
            TimedFrames lbs = {NULL, 0};
            const double vertices = (double)peer->vertex_count * peer->posing->frame_count;
            for (int c = 0; c < group->cell_count && !lbs.task; c++) {
                SkinningPlan plan = skinning_plan_of_lbs(&group->cells[c].plan);
                plan.backend = &backend_simd;
                plan.threads = peer->threads;
                lbs = frames_of_plan(group, &plan, STAGE_FRAME);
            }
            STATUS_TRY(timing_set(timing, STAGE_FRAME, task->samples, task->sample_count, task->inner,
                                  group->scratch));
            timing->rounds = task->sample_count;
            timing->disturbed = task->disturbed;
            snprintf(timing->end, sizeof timing->end, "%s", rounds_end_name(end));
            timing->derived[DERIVED_FRAME_NS_PER_VERTEX] =
                interval_of(&timing_stage(timing, STAGE_FRAME)->statistics, 1e9 / vertices);
            timing->derived[DERIVED_FRAME_RATIO_TO_LBS] = ratio_of(group, peer_frames, lbs);
            timing->derived[DERIVED_FRAME_RATIO_TO_PLAIN] =
                ratio_of(group, peer_frames, frames_of_plain_loop(group, peer->threads));
        }
        STATUS_TRY(bench_append(group->bench, &peer->record));
    }
    for (int i = 0; i < group->requested_count; i++) {
        SkinningCell *cell = &group->cells[i];
        if (!cell->live || cell->already_done)
            continue;
        STATUS_TRY(cell_timing(group, cell, end, &cell->record.timing));
        STATUS_TRY(bench_append(group->bench, &cell->record));
    }
    return status_ok();
}

/* Times all skinning cells of one rig in common rounds and turns the samples into records. */
#include "harness/bench/skinning_group.h"

#include "datasets/base/memory.h"
#include "datasets/io/sha256.h"
#include "harness/bench/skinning_cell.h"
#include "harness/records/journal.h"
#include "harness/records/noise.h"
#include "methods/registry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* All buffers of a group together stay within reason: frames are posed fewer at a time for large meshes. */
enum { VERTEX_FRAMES_MAX = 4000000 };

typedef struct Group {
    Bench *bench;
    const Subject *subject;
    Posing posing;
    SkinningCell *cells; /* those asked for, then companions, then the twin */
    int cell_count, asked_count;
    int twin, twin_of;  /* two cells that are the same, for the run's own noise; the second -1: none */
    Skinner *reference; /* of the cell prepared last */
    RecordCounter counters[SKINNING_COUNTERS_MAX]; /* what its method counts */
    int counter_count;
    const SkinningCell *reference_of;
    Status reference_status;
    TimedWork *works; /* those of the live cells, cell by cell */
    int *cell_of_work;
    int work_count;
    double *scratch;
    int *order;
    Journal journal;
} Group;

static SkinningCell *cell_find(const Group *group, const SkinningPlan *plan)
{
    for (int i = 0; i < group->cell_count; i++)
        if (skinning_plan_same(&group->cells[i].plan, plan))
            return &group->cells[i];
    return NULL;
}

static Status cell_add(Group *group, const SkinningPlan *plan, bool companion)
{
    bool here = companion;
    if (cell_find(group, plan))
        return status_ok();
    SkinningCell *cell = &group->cells[group->cell_count++];
    Status status = skinning_cell_plan(cell, plan, group->subject, &group->posing);
    if (status.code == STATUS_OK && !companion)
        status = shard_holds(&group->bench->shard, &cell->record.cell, &here);
    if (status.code != STATUS_OK)
        return status;
    if (!here) { /* may come back as a companion */
        skinning_cell_clear(cell);
        group->cell_count--;
        return status;
    }
    cell->companion = companion;
    cell->settled = !companion && bench_has_settled(group->bench, &cell->record.cell);
    if (cell->settled)
        group->bench->counts.already++;
    return status;
}

/* The LBS of the first cell that is to be timed, of one on `simd` where there is one, once more. */
static Status twin_add(Group *group)
{
    const SkinningCell *first = NULL;
    for (int i = 0; i < group->asked_count; i++)
        if (!group->cells[i].settled && (!first || (first->plan.backend != &backend_simd &&
                                                    group->cells[i].plan.backend == &backend_simd)))
            first = &group->cells[i];
    group->twin_of = -1;
    if (!first)
        return status_ok();
    const SkinningPlan lbs = skinning_plan_of_lbs(&first->plan);
    group->twin = group->cell_count++;
    group->twin_of = (int)(cell_find(group, &lbs) - group->cells);
    SkinningCell *twin = &group->cells[group->twin];
    const Status status = skinning_cell_plan(twin, &lbs, group->subject, &group->posing);
    twin->companion = true;
    twin->digest[0] = 't'; /* no hexadecimal digit: the journal keeps the two apart */
    return status;
}

/* Cells asked for, then companions of those that are still to be timed. */
static Status group_cells_make(Group *group, const SkinningPlan *plans, int count)
{
    Status status = status_ok();
    group->cells = memory_array(3 * (size_t)count + 1, sizeof *group->cells);
    if (!group->cells)
        return status_out_of_memory("the cells of the benchmark");
    for (int i = 0; i < count && status.code == STATUS_OK; i++)
        status = cell_add(group, &plans[i], false);
    group->asked_count = group->cell_count;
    if (group->bench->no_times)
        return status;
    for (int i = 0; i < group->asked_count && status.code == STATUS_OK; i++) {
        if (group->cells[i].settled)
            continue;
        SkinningPlan lbs = skinning_plan_of_lbs(&group->cells[i].plan),
                     scalar = skinning_plan_of_scalar(&group->cells[i].plan);
        STATUS_TRY(cell_add(group, &lbs, true));
        STATUS_TRY(cell_add(group, &scalar, true));
    }
    STATUS_TRY(twin_add(group));
done:
    return status;
}

/* Whether a settled cell is needed beside one that is to be timed. */
static bool cell_is_needed(const Group *group, const SkinningCell *cell)
{
    if (!cell->settled)
        return true;
    for (int i = 0; i < group->asked_count; i++) {
        const SkinningCell *other = &group->cells[i];
        SkinningPlan lbs = skinning_plan_of_lbs(&other->plan), scalar = skinning_plan_of_scalar(&other->plan);
        if (!other->settled &&
            (skinning_plan_same(&lbs, &cell->plan) || skinning_plan_same(&scalar, &cell->plan)))
            return true;
    }
    return false;
}

/* The reference of a cell's method, kept as long as the next cells want the same. */
static Status reference_make(Group *group, const SkinningCell *cell)
{
    if (group->reference_of && skinning_plan_same_method(&group->reference_of->plan, &cell->plan))
        return group->reference_status;
    double bind_s = 0.0;
    SkinningPlan plan = cell->plan;
    plan.backend = &backend_reference;
    plan.level[0] = '\0';
    plan.threads = group->bench->threads;
    skinner_free(group->reference);
    group->reference = NULL;
    group->reference_of = cell;
    group->counter_count = 0;
    group->reference_status =
        skinner_run_once(&plan, group->subject, &group->posing, &group->reference, &bind_s);
    if (group->reference_status.code == STATUS_OK)
        group->reference_status = skinning_counters(group->reference, plan.entry->method, &group->posing,
                                                    group->counters, &group->counter_count);
    return group->reference_status;
}

/* Appends a cell that is not timed, or no longer, for the reason its record gives. */
static Status cell_refuse(Group *group, SkinningCell *cell)
{
    bench_note(group->bench, "%s: %s on %s: %s: %s", group->subject->name, cell->plan.entry->method->name,
               cell->plan.backend->name, record_status_names[cell->record.status], cell->record.reason);
    return bench_append(group->bench, &cell->record);
}

/* Binds and verifies a cell; what will not be timed is appended at once. */
static Status cell_prepare(Group *group, SkinningCell *cell)
{
    Status status = reference_make(group, cell);
    if (status.code == STATUS_OK) {
        status = skinning_cell_prepare(cell, group->reference, group->counters, group->counter_count);
    } else {
        record_fail(&cell->record, record_status_of(status.code), status.text);
        status = status_ok();
    }
    if (status.code != STATUS_OK || cell->companion || cell->settled)
        return status;
    if (!cell->live)
        return cell_refuse(group, cell);
    if (group->bench->no_times) {
        skinner_free(cell->skinner);
        cell->skinner = NULL;
        status = bench_append(group->bench, &cell->record);
    }
    return status;
}

static Status cells_prepare(Group *group)
{
    for (int i = 0; i < group->cell_count; i++) {
        if (!cell_is_needed(group, &group->cells[i]))
            continue;
        if (!progress_report(group->bench->progress, group->subject->name, 0.0))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        Status status = cell_prepare(group, &group->cells[i]);
        if (status.code != STATUS_OK)
            return status;
    }
    skinner_free(group->reference);
    group->reference = NULL;
    group->reference_of = NULL;
    return status_ok();
}

static Status works_make(Group *group)
{
    Bench *bench = group->bench;
    size_t cap = (size_t)bench->rounds_cap, capacity = (size_t)group->cell_count * TIMED_STAGES;
    group->works = memory_array(capacity, sizeof *group->works);
    group->cell_of_work = memory_array(capacity, sizeof *group->cell_of_work);
    group->order = memory_array(capacity, sizeof *group->order);
    group->scratch = memory_array(3 * cap, sizeof *group->scratch);
    if (!group->works || !group->cell_of_work || !group->order || !group->scratch)
        return status_out_of_memory("the samples of the benchmark");
    for (int i = 0; i < group->cell_count; i++) {
        SkinningCell *cell = &group->cells[i];
        if (!cell->live)
            continue;
        Status status = skinning_cell_works(cell, bench->rounds_cap);
        if (status.code != STATUS_OK)
            return status;
        for (int w = 0; w < TIMED_STAGES; w++) {
            TimedWork *work = &cell->works[w];
            work->sample_count =
                journal_replay(&group->journal, cell->digest, timed_stage(w), bench->rounds_cap,
                               work->samples, &work->inner, &work->disturbed);
            group->cell_of_work[group->work_count] = i;
            group->works[group->work_count++] = cell->works[w];
        }
    }
    return status_ok();
}

/* The same cells in the same environment, whichever of them are in the file by now. */
static void group_name(const Group *group, char name[CELL_DIGEST_BYTES])
{
    const char *hash = group->bench->environment.hash;
    char digest[SHA256_TEXT_BYTES];
    Sha256 sum;
    sha256_begin(&sum);
    for (int i = 0; i < group->asked_count; i++)
        sha256_add(&sum, group->cells[i].digest, sizeof group->cells[i].digest);
    sha256_add(&sum, hash, strlen(hash));
    /* A journal of before there was this stage is another's. */
    sha256_add(&sum, stage_names[STAGE_FRAME], strlen(stage_names[STAGE_FRAME]));
    sha256_end(&sum, digest);
    snprintf(name, CELL_DIGEST_BYTES, "%.16s", digest);
}

static Status sample_keep(void *context, int work, int round, double seconds, bool disturbed)
{
    Group *group = context;
    const SkinningCell *cell = &group->cells[group->cell_of_work[work]];
    JournalSample sample = {.stage = timed_stage(work),
                            .round = round,
                            .inner = group->works[work].inner,
                            .seconds = seconds,
                            .disturbed = disturbed};
    snprintf(sample.cell, sizeof sample.cell, "%s", cell->digest);
    return journal_append(&group->journal, &sample);
}

/* A work of a cell failed, a device's error for example: the cell is done, the others continue. */
static Status cell_fail(void *context, int work, Status failure)
{
    Group *group = context;
    const int index = group->cell_of_work[work];
    SkinningCell *cell = &group->cells[index];
    for (int w = 0; w < group->work_count; w++)
        if (group->cell_of_work[w] == index)
            group->works[w].dropped = true;
    cell->live = false;
    if (cell->companion || cell->settled)
        return status_ok();
    char reason[STATUS_TEXT_BYTES + 64];
    snprintf(reason, sizeof reason, "while it was timed (%s): %s", stage_names[timed_stage(work)],
             failure.text);
    record_fail(&cell->record, RECORD_FAILED, reason);
    return cell_refuse(group, cell);
}

static Status group_time(Group *group, RoundsEnd *end)
{
    Bench *bench = group->bench;
    RoundsOptions options = {.rounds_minimum = bench->rounds_minimum,
                             .rounds_cap = bench->rounds_cap,
                             .precision = bench->precision,
                             .time_budget_s = bench->time_budget_s,
                             .seed = 20101,
                             .progress = bench->progress,
                             .progress_from = 0.0,
                             .progress_to = 1.0,
                             .progress_what = group->subject->name,
                             .sample_taken = sample_keep,
                             .sample_context = group,
                             .work_failed = cell_fail,
                             .failure_context = group};
    Status status = rounds_run(group->works, group->work_count, &options, group->order, group->scratch, end);
    for (int work = 0; work < group->work_count; work++)
        group->cells[group->cell_of_work[work]].works[work % TIMED_STAGES] = group->works[work];
    if (status.code == STATUS_OK && *end == ROUNDS_STOPPED)
        status = status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
    return status;
}

static const TimedWork *work_of(const SkinningCell *cell, Stage stage)
{
    return &cell->works[stage - STAGE_POSE];
}

/* Of the samples of the stages that users wait for, those that were disturbed, in the stage that has most. */
static int cell_disturbed(const SkinningCell *cell)
{
    const int skin = work_of(cell, STAGE_SKIN)->disturbed, frame = work_of(cell, STAGE_FRAME)->disturbed;
    return skin > frame ? skin : frame;
}

static Interval interval_of(const Statistics *statistics, double factor)
{
    return (Interval){factor * statistics->median, factor * statistics->interval_low,
                      factor * statistics->interval_high};
}

/* Ratio of a stage's times to those of another cell, round by round; NAN where that cell was not timed. */
static Interval ratio_to(const Group *group, const SkinningCell *cell, const SkinningPlan *other_plan,
                         Stage stage)
{
    const SkinningCell *other = cell_find(group, other_plan);
    if (!other || !other->live)
        return (Interval){NAN, NAN, NAN};
    const TimedWork *a = work_of(cell, stage), *b = work_of(other, stage);
    int count = a->sample_count < b->sample_count ? a->sample_count : b->sample_count;
    Statistics s = statistics_of_ratios(a->samples, b->samples, (size_t)count, 1, group->scratch);
    return interval_of(&s, 1.0);
}

/* Bytes moved per second over what the machine's memory can do; a device's own memory was not measured. */
static double bandwidth_share(const Group *group, const SkinningCell *cell, double seconds_per_vertex)
{
    if (cell->plan.backend->is_device)
        return NAN;
    const Bandwidth *bandwidth = &group->bench->bandwidth;
    double limit = cell->plan.threads > 1 ? bandwidth->all_threads : bandwidth->one_thread;
    return skinner_bytes_per_vertex(cell->skinner) / seconds_per_vertex / limit;
}

static double cell_vertices(const SkinningCell *cell)
{
    return (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
}

static Status cell_timing(const Group *group, const SkinningCell *cell, RoundsEnd end, Timing *timing)
{
    SkinningPlan lbs = skinning_plan_of_lbs(&cell->plan), scalar = skinning_plan_of_scalar(&cell->plan);
    const Statistics *skin = &timing->stages[STAGE_SKIN].statistics;
    const Statistics *frame = &timing->stages[STAGE_FRAME].statistics;
    double vertices = cell_vertices(cell);
    Status status;
    STATUS_TRY(timing_set(timing, STAGE_BIND, &cell->bind_s, 1, 1, group->scratch));
    for (int i = 0; i < TIMED_STAGES; i++) {
        const TimedWork *work = &cell->works[i];
        STATUS_TRY(timing_set(timing, timed_stage(i), work->samples, work->sample_count, work->inner,
                              group->scratch));
    }
    if (cell->device_runs > 0) {
        timing->device_mean_s = cell->device_sum_s / cell->device_runs;
        timing->device_least_s = cell->device_least_s;
    }
    timing->rounds = work_of(cell, STAGE_SKIN)->sample_count;
    const SkinningCell *beside = cell_find(group, &lbs);
    timing->disturbed = cell_disturbed(cell);
    if (beside && beside->live && cell_disturbed(beside) > timing->disturbed)
        timing->disturbed = cell_disturbed(beside);
    snprintf(timing->end, sizeof timing->end, "%s", rounds_end_name(end));
    timing->bytes_per_vertex = skinner_bytes_per_vertex(cell->skinner);
    timing->bandwidth_share = bandwidth_share(group, cell, skin->median / vertices);
    timing->derived[DERIVED_FRAME_NS_PER_VERTEX] = interval_of(frame, 1e9 / vertices);
    timing->derived[DERIVED_FRAME_RATIO_TO_LBS] = ratio_to(group, cell, &lbs, STAGE_FRAME);
    timing->derived[DERIVED_NS_PER_VERTEX] = interval_of(skin, 1e9 / vertices);
    timing->derived[DERIVED_RATIO_TO_LBS] = ratio_to(group, cell, &lbs, STAGE_SKIN);
    timing->derived[DERIVED_RATIO_TO_SCALAR] = ratio_to(group, cell, &scalar, STAGE_SKIN);
done:
    return status;
}

/* The twins were timed in the same rounds: the ratio of their skin stages is the run's own noise. A run that was
 * killed between this record and those of its cells has left it: the same samples, from the journal. */
static Status noise_append(Group *group)
{
    const SkinningCell *twin = &group->cells[group->twin],
                       *of = &group->cells[group->twin_of < 0 ? group->twin : group->twin_of];
    Record noise;
    if (group->twin_of < 0 || !of->live || !twin->live)
        return status_ok();
    const TimedWork *first = work_of(twin, STAGE_SKIN), *second = work_of(of, STAGE_SKIN);
    const int count = first->sample_count < second->sample_count ? first->sample_count : second->sample_count;
    const Status status =
        noise_record_make(&of->record.cell, first->samples, second->samples, count, group->scratch, &noise);
    if (status.code != STATUS_OK)
        return status;
    const Bench *bench = group->bench;
    if (!noise_records_equal(record_store_find(bench->store, &noise.cell, bench->environment.machine),
                             &noise))
        return bench_append(group->bench, &noise);
    record_clear(&noise);
    return status;
}

static Status records_append(Group *group, RoundsEnd end)
{
    Status status = noise_append(group);
    for (int i = 0; i < group->asked_count && status.code == STATUS_OK; i++) {
        SkinningCell *cell = &group->cells[i];
        if (!cell->live || cell->settled)
            continue;
        status = cell_timing(group, cell, end, &cell->record.timing);
        if (status.code == STATUS_OK)
            status = bench_append(group->bench, &cell->record);
    }
    return status;
}

static void group_clear(Group *group)
{
    for (int i = 0; i < group->cell_count; i++)
        skinning_cell_clear(&group->cells[i]);
    skinner_free(group->reference);
    memory_free(group->cells);
    memory_free(group->works);
    memory_free(group->cell_of_work);
    memory_free(group->order);
    memory_free(group->scratch);
    posing_clear(&group->posing);
    journal_close(&group->journal);
}

static bool all_settled(const Group *group)
{
    for (int i = 0; i < group->asked_count; i++)
        if (!group->cells[i].settled)
            return false;
    return true;
}

/* Whether any cell that was asked for is still to be timed: neither settled nor skipped. */
static bool any_to_time(const Group *group)
{
    bool any = false;
    for (int i = 0; i < group->asked_count; i++)
        any = any || (group->cells[i].live && !group->cells[i].settled);
    return any;
}

/* The rounds take the budget at most, whatever the number of cells. */
static Status group_forecast(Group *group)
{
    int open = 0;
    Status status = status_ok();
    for (int i = 0; i < group->asked_count; i++)
        open += !group->cells[i].settled;
    for (int i = 0; i < group->asked_count && status.code == STATUS_OK; i++)
        status = forecast_add(group->bench->forecast, group->bench->store, &group->cells[i].record.cell,
                              group->cells[i].settled, group->bench->time_budget_s / open);
    return status;
}

static bool plans_skin_normals(const SkinningPlan *plans, int count)
{
    bool normals = false;
    for (int i = 0; i < count; i++)
        normals = normals || plans[i].normals;
    return normals;
}

Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count)
{
    Group group = {.bench = bench, .subject = subject};
    char name[CELL_DIGEST_BYTES];
    RoundsEnd end = ROUNDS_PRECISE;
    int vertices = subject->dataset->mesh.vertex_count;
    int frames = vertices > 0 ? VERTEX_FRAMES_MAX / vertices : VERTEX_FRAMES_MAX;
    frames = frames < 1 ? 1 : frames > bench->frames_cap ? bench->frames_cap : frames;
    Status status;
    STATUS_TRY(posing_make(subject->dataset, frames, &group.posing));
    STATUS_TRY(group_cells_make(&group, plans, count));
    if (bench->forecast)
        status = group_forecast(&group);
    if (bench->forecast || all_settled(&group))
        goto done;
    STATUS_TRY(posing_results_make(&group.posing, vertices, plans_skin_normals(plans, count)));
    if (bench->no_times) {
        status = cells_prepare(&group);
        goto done;
    }
    STATUS_TRY(bench_measure_bandwidth(bench));
    group_name(&group, name);
    STATUS_TRY(journal_open(bench->path, name, &group.journal));
    STATUS_TRY(cells_prepare(&group));
    if (any_to_time(&group)) {
        STATUS_TRY(works_make(&group));
        STATUS_TRY(group_time(&group, &end));
        STATUS_TRY(records_append(&group, end));
    }
    journal_finish(&group.journal);
done:
    group_clear(&group);
    return status;
}

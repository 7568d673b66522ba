/* Times all skinning cells of one rig in common rounds and turns the samples into records. */
#include "harness/bench/bench.h"

#include "datasets/base/memory.h"
#include "harness/bench/cell_json.h"
#include "harness/bench/journal.h"
#include "harness/bench/skinning_cell.h"
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
    SkinningCell *cells; /* those asked for, then companions */
    int cell_count, asked_count, cell_room;
    Skinner *reference; /* of the cell prepared last */
    json_t *counts;     /* what its method counts, or NULL */
    const SkinningCell *reference_of;
    Status reference_status;
    TimedWork *works; /* those of the live cells, cell by cell */
    int *cell_of_work;
    int work_count;
    double *scratch;
    int *order;
    Journal journal;
} Group;

static bool plan_same_method(const SkinningPlan *a, const SkinningPlan *b)
{
    bool same = a->entry == b->entry && a->normals == b->normals && a->two_phase == b->two_phase;
    for (int i = 0; same && i < a->entry->method->parameter_count; i++)
        same = a->parameters.values[i] == b->parameters.values[i];
    return same;
}

static bool plan_same(const SkinningPlan *a, const SkinningPlan *b)
{
    return plan_same_method(a, b) && a->backend == b->backend && a->threads == b->threads &&
           strcmp(a->level, b->level) == 0;
}

/* What a cell's ratio to LBS is taken against: LBS with its defaults, everything else the same. */
static SkinningPlan plan_of_lbs(const SkinningPlan *plan)
{
    SkinningPlan lbs = *plan;
    const SkinningEntry *entry = skinning_entry_find("lbs");
    if (entry) {
        lbs.entry = entry;
        lbs.parameters = parameters_default(entry->method->parameters, entry->method->parameter_count);
    }
    return lbs;
}

/* What a cell's ratio to scalar is taken against: the same method on one thread without vectors. */
static SkinningPlan plan_of_scalar(const SkinningPlan *plan)
{
    SkinningPlan scalar = *plan;
    scalar.backend = &backend_scalar;
    scalar.threads = 1;
    scalar.level[0] = '\0';
    return scalar;
}

static SkinningCell *cell_find(const Group *group, const SkinningPlan *plan)
{
    for (int i = 0; i < group->cell_count; i++)
        if (plan_same(&group->cells[i].plan, plan))
            return &group->cells[i];
    return NULL;
}

static Status cell_add(Group *group, const SkinningPlan *plan, bool companion)
{
    if (cell_find(group, plan))
        return status_ok();
    SkinningCell *cell = &group->cells[group->cell_count++];
    Status status = skinning_cell_plan(cell, plan, group->subject, &group->posing);
    if (status.code != STATUS_OK)
        return status;
    const json_t *before = companion ? NULL : bench_find(group->bench, cell->key);
    cell->companion = companion;
    cell->settled = before && record_json_is_settled(before);
    if (cell->settled)
        group->bench->counts.already++;
    return status;
}

/* Cells asked for, then companions of those that are still to be timed. */
static Status cells_make(Group *group, const SkinningPlan *plans, int count)
{
    Status status = status_ok();
    group->cells = memory_array(3 * (size_t)count, sizeof *group->cells);
    if (!group->cells)
        return status_out_of_memory("the cells of the benchmark");
    for (int i = 0; i < count && status.code == STATUS_OK; i++)
        status = cell_add(group, &plans[i], false);
    group->asked_count = group->cell_count;
    for (int i = 0; i < group->asked_count && status.code == STATUS_OK; i++) {
        if (group->cells[i].settled)
            continue;
        SkinningPlan lbs = plan_of_lbs(&group->cells[i].plan), scalar = plan_of_scalar(&group->cells[i].plan);
        STATUS_TRY(cell_add(group, &lbs, true));
        STATUS_TRY(cell_add(group, &scalar, true));
    }
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
        SkinningPlan lbs = plan_of_lbs(&other->plan), scalar = plan_of_scalar(&other->plan);
        if (!other->settled && (plan_same(&lbs, &cell->plan) || plan_same(&scalar, &cell->plan)))
            return true;
    }
    return false;
}

/* The reference of a cell's method, kept as long as the next cells want the same. */
static Status reference_make(Group *group, const SkinningCell *cell)
{
    if (group->reference_of && plan_same_method(&group->reference_of->plan, &cell->plan))
        return group->reference_status;
    double bind_s = 0.0;
    SkinningPlan plan = cell->plan;
    plan.backend = &backend_reference;
    plan.level[0] = '\0';
    plan.threads = group->bench->threads;
    skinner_free(group->reference);
    group->reference = NULL;
    group->reference_of = cell;
    json_decref(group->counts);
    group->counts = NULL;
    group->reference_status =
        skinner_run_once(&plan, group->subject, &group->posing, &group->reference, &bind_s);
    if (group->reference_status.code == STATUS_OK)
        group->reference_status =
            skinning_counts(group->reference, plan.entry->method, &group->posing, &group->counts);
    return group->reference_status;
}

/* Appends a cell that is not timed, or no longer, with the reason its record tells. */
static Status cell_refuse(Group *group, const SkinningCell *cell)
{
    bench_note(group->bench, "%s: %s on %s: %s: %s", group->subject->name, cell->plan.entry->method->name,
               cell->plan.backend->name, json_text_at(cell->record, "status"),
               json_text_at(cell->record, "reason"));
    return bench_append(group->bench, json_incref(cell->record));
}

/* Binds and verifies a cell; what will not be timed is appended at once. */
static Status cell_prepare(Group *group, SkinningCell *cell)
{
    Status status = reference_make(group, cell);
    if (status.code == STATUS_OK)
        status = skinning_cell_prepare(cell, group->reference, group->counts);
    else {
        bool refused = status.code == STATUS_BAD_INPUT || status.code == STATUS_UNAVAILABLE;
        record_set_failure(cell->record, refused ? "skipped" : "failed", status.text);
        status = status_ok();
    }
    if (status.code != STATUS_OK || cell->live || cell->companion || cell->settled)
        return status;
    return cell_refuse(group, cell);
}

static Status cells_prepare(Group *group)
{
    for (int i = 0; i < group->cell_count; i++) {
        if (!cell_is_needed(group, &group->cells[i]))
            continue;
        if (!progress_report(group->bench->progress, group->subject->name, 0.0))
            return status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
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
    size_t cap = (size_t)bench->rounds_cap, room = (size_t)group->cell_count * WORK_COUNT;
    group->works = memory_array(room, sizeof *group->works);
    group->cell_of_work = memory_array(room, sizeof *group->cell_of_work);
    group->order = memory_array(room, sizeof *group->order);
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
        for (int w = 0; w < WORK_COUNT; w++) {
            journal_replay(&group->journal, cell->key_hash, w, bench->rounds_cap, &cell->works[w]);
            group->cell_of_work[group->work_count] = i;
            group->works[group->work_count++] = cell->works[w];
        }
    }
    return status_ok();
}

/* The same cells in the same setting in the same environment, whichever of them are in the file by now. */
static Status group_name(const Group *group, char name[17])
{
    char *text = memory_array((size_t)group->asked_count + 1, 17), setting[128];
    if (!text)
        return status_out_of_memory("the name of a group");
    for (int i = 0; i < group->asked_count; i++)
        memcpy(text + (size_t)i * 16, group->cells[i].key_hash, 16);
    snprintf(setting, sizeof setting, "%.16s", json_text_at(group->bench->environment, "hash"));
    memcpy(text + (size_t)group->asked_count * 16, setting, 17);
    text_hash(text, name);
    memory_free(text);
    return status_ok();
}

static Status sample_keep(void *context, int work, int round, double seconds)
{
    Group *group = context;
    const SkinningCell *cell = &group->cells[group->cell_of_work[work]];
    return journal_append(&group->journal, cell->key_hash, work % WORK_COUNT, round, group->works[work].inner,
                          seconds);
}

/* A work of a cell failed, a device's error for example: the cell is done, the others go on. */
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
    snprintf(reason, sizeof reason, "while it was timed (%s): %s", work_name(work % WORK_COUNT),
             failure.text);
    record_set_failure(cell->record, "failed", reason);
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
        group->cells[group->cell_of_work[work]].works[work % WORK_COUNT] = group->works[work];
    if (status.code == STATUS_OK && *end == ROUNDS_STOPPED)
        status = status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
    return status;
}

/* Ratio of a stage's times to those of another cell, round by round; null where that cell was not timed. */
static json_t *ratio_to_json(const Group *group, const SkinningCell *cell, const SkinningPlan *other_plan,
                             int work)
{
    const SkinningCell *other = cell_find(group, other_plan);
    if (!other || !other->live)
        return json_null();
    const TimedWork *a = &cell->works[work], *b = &other->works[work];
    int count = a->sample_count < b->sample_count ? a->sample_count : b->sample_count;
    Statistics s = statistics_of_ratios(a->samples, b->samples, (size_t)count, 1, group->scratch);
    return interval_json(&s, 1.0);
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

static json_t *ns_per_vertex_to_json(const Group *group, const SkinningCell *cell, int work)
{
    double vertices = (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    const TimedWork *timed = &cell->works[work];
    Statistics s = statistics_of(timed->samples, (size_t)timed->sample_count, 1, group->scratch);
    return interval_json(&s, 1e9 / vertices);
}

static json_t *cell_timing(const Group *group, const SkinningCell *cell, RoundsEnd end)
{
    json_t *timing = json_object();
    SkinningPlan lbs = plan_of_lbs(&cell->plan), scalar = plan_of_scalar(&cell->plan);
    json_object_set_new(timing, "bind", samples_json(&cell->bind_s, 1, 1, group->scratch));
    for (int w = 0; w < WORK_COUNT; w++)
        json_object_set_new(timing, work_name(w),
                            samples_json(cell->works[w].samples, cell->works[w].sample_count,
                                         cell->works[w].inner, group->scratch));
    if (cell->device_runs > 0) {
        json_object_set_new(timing, "device_mean_s", json_real(cell->device_sum_s / cell->device_runs));
        json_object_set_new(timing, "device_least_s", json_real(cell->device_least_s));
    }
    json_object_set_new(timing, "rounds", json_integer(cell->works[WORK_SKIN].sample_count));
    json_object_set_new(timing, "end", json_string(rounds_end_name(end)));
    json_object_set_new(timing, "ns_per_vertex", ns_per_vertex_to_json(group, cell, WORK_SKIN));
    json_object_set_new(timing, "end_to_end_ns_per_vertex", ns_per_vertex_to_json(group, cell, WORK_WHOLE));
    double vertices = (double)cell->subject->dataset->mesh.vertex_count * cell->posing->frame_count;
    double seconds = json_number_at(timing, "skin.median_s") / vertices;
    json_object_set_new(timing, "bytes_per_vertex",
                        json_number_or_null(skinner_bytes_per_vertex(cell->skinner)));
    json_object_set_new(timing, "bandwidth_share",
                        json_number_or_null(bandwidth_share(group, cell, seconds)));
    json_object_set_new(timing, "ratio_to_lbs", ratio_to_json(group, cell, &lbs, WORK_SKIN));
    json_object_set_new(timing, "ratio_to_lbs_end_to_end", ratio_to_json(group, cell, &lbs, WORK_WHOLE));
    json_object_set_new(timing, "ratio_to_scalar", ratio_to_json(group, cell, &scalar, WORK_SKIN));
    return timing;
}

static Status records_append(Group *group, RoundsEnd end)
{
    Status status = status_ok();
    for (int i = 0; i < group->asked_count && status.code == STATUS_OK; i++) {
        SkinningCell *cell = &group->cells[i];
        if (!cell->live || cell->settled)
            continue;
        json_object_set_new(cell->record, "timing", cell_timing(group, cell, end));
        status = bench_append(group->bench, json_incref(cell->record));
    }
    return status;
}

static void group_clear(Group *group)
{
    for (int i = 0; i < group->cell_count; i++)
        skinning_cell_clear(&group->cells[i]);
    skinner_free(group->reference);
    json_decref(group->counts);
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

Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count)
{
    Group group = {.bench = bench, .subject = subject};
    char name[17];
    RoundsEnd end = ROUNDS_PRECISE;
    int vertices = subject->dataset->mesh.vertex_count;
    int frames = vertices > 0 ? VERTEX_FRAMES_MAX / vertices : VERTEX_FRAMES_MAX;
    frames = frames < 1 ? 1 : frames > bench->frames_cap ? bench->frames_cap : frames;
    Status status;
    STATUS_TRY(posing_make(subject->dataset, frames, &group.posing));
    STATUS_TRY(cells_make(&group, plans, count));
    if (all_settled(&group))
        goto done;
    STATUS_TRY(bench_measure_bandwidth(bench));
    STATUS_TRY(group_name(&group, name));
    STATUS_TRY(journal_open(bench->path, name, &group.journal));
    STATUS_TRY(cells_prepare(&group));
    STATUS_TRY(works_make(&group));
    STATUS_TRY(group_time(&group, &end));
    STATUS_TRY(records_append(&group, end));
    journal_finish(&group.journal);
done:
    group_clear(&group);
    return status;
}

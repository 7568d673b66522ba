/* Times all skinning cells of one rig in common rounds. */
#include "harness/run/bench/group.h"

#include "datasets/io/sha256.h"

/* Limits for the buffers of a group of cells. If a mesh is large, fewer of its frames are posed
 * together. */
enum {
    VERTEX_FRAMES_MAX = 4000000,
    GPU_JOINT_VALUES = 32, /* number of values that a GPU is assumed to store per joint */
    POSES_BYTES_MAX = 1000000000
};

/* Returns how many bytes of GPU memory the repeated frames should fill. Returns 0 if there is no GPU, or if
 * a stage on the host takes most of the time of a frame. */
static double gpu_bytes_of(const SkinningPlan *plan)
{
    return plan->backend->gpu_bytes && !plan->entry->method->frames ? plan->backend->gpu_bytes() : 0.0;
}

static const Posing *posing_of(const Group *group, const SkinningPlan *plan)
{
    return group->repeated.frame_count > 0 && gpu_bytes_of(plan) > 0.0 ? &group->repeated : &group->posing;
}

/* Poses more frames for cells on a GPU: as many as Bench.gpu_vertex_frames asks for, or all frames of the
 * rig up to frames_cap, whichever number is larger. A large mesh may thus have more frames on a GPU than on
 * the processor. All cells on the GPU, including their baselines, may use at most half of its memory. Their
 * poses may use at most POSES_BYTES_MAX bytes on the host. */
static Status group_repeat_frames(Group *group, const SkinningPlan *plans, int count, bool normals)
{
    const double vertices = group->subject->dataset->mesh.vertex_count,
                 joints = group->subject->dataset->rig.joint_count;
    const double frame_bytes = sizeof(float) * ((normals ? 6.0 : 3.0) * vertices + GPU_JOINT_VALUES * joints);
    double least_bytes = 0.0, cells = 0.0;
    for (int i = 0; i < count; i++) {
        const double bytes = gpu_bytes_of(&plans[i]);
        cells += bytes > 0.0 ? 2.0 : 0.0;
        if (bytes > 0.0 && (least_bytes == 0.0 || bytes < least_bytes))
            least_bytes = bytes;
    }
    if (cells == 0.0 || vertices == 0.0 || group->posing.frame_count == 0)
        return status_ok();
    const int asked = int_min(group->bench->frames_cap, group->subject->dataset->rig.frame_count);
    const double wanted = fmax(ceil(group->bench->gpu_vertex_frames / vertices), asked),
                 held = floor(0.5 * least_bytes / cells / frame_bytes),
                 posed = floor(POSES_BYTES_MAX / (sizeof(Transform) * joints));
    const double frames = fmin(wanted, fmin(held, posed));
    if (frames <= group->posing.frame_count)
        return status_ok();
    return posing_init(group->subject->dataset, group->posing.frame_count, (int)frames, &group->repeated);
}

static Status cell_add(Group *group, const SkinningPlan *plan, bool baseline)
{
    bool here = baseline;
    if (group_cell_find(group, plan))
        return status_ok();
    SkinningCell *cell = &group->cells[group->cell_count++];
    STATUS_TRY(skinning_cell_plan(cell, plan, group->subject, posing_of(group, plan)));
    if (!baseline)
        STATUS_TRY(shard_holds(&group->bench->shard, &cell->record.cell, &here));
    if (!here) { /* another part of the run does this cell, but it may be added again as a baseline */
        skinning_cell_clear(cell);
        group->cell_count--;
        return status_ok();
    }
    cell->baseline = baseline;
    cell->already_done = !baseline && bench_already_done(group->bench, &cell->record.cell);
    if (cell->already_done)
        group->bench->counts.already++;
    return status_ok();
}

/* Finds the LBS cell with which the first timed cell is compared, preferably on `simd`, and adds a copy of
 * it. The ratio between the times of the cell and its copy is the run's noise. */
static Status noise_control_add(Group *group)
{
    const SkinningCell *first = NULL;
    for (int i = 0; i < group->requested_count; i++)
        if (!group->cells[i].already_done && (!first || (first->plan.backend != &backend_simd &&
                                                         group->cells[i].plan.backend == &backend_simd)))
            first = &group->cells[i];
    group->noise_control_of = -1;
    if (!first)
        return status_ok();
    const SkinningPlan lbs = skinning_plan_of_lbs(&first->plan);
    group->noise_control = group->cell_count++;
    group->noise_control_of = (int)(group_cell_find(group, &lbs) - group->cells);
    SkinningCell *noise_control = &group->cells[group->noise_control];
    const Status status = skinning_cell_plan(noise_control, &lbs, group->subject, posing_of(group, &lbs));
    noise_control->baseline = true;
    noise_control->digest[0] = 't'; /* start the copy's digest with a letter that is not hexadecimal, so that
                                       the journal distinguishes it from the cell */
    return status;
}

/* Appends the record of a cell that is not timed, or whose timing ended early. The record gives the
 * reason. */
static Status cell_record_untimed(Group *group, SkinningCell *cell)
{
    bench_note(group->bench, "%s: %s on %s: %s: %s", group->subject->name, cell->plan.entry->method->name,
               cell->plan.backend->name, record_status_names[cell->record.status], cell->record.reason);
    return bench_append(group->bench, &cell->record);
}

/* Records the requested cells whose device is missing. Otherwise their references and baselines would be
 * bound for nothing, which can take minutes. */
static Status absent_cells_record(Group *group)
{
    char device[STATUS_TEXT_BYTES];
    for (int i = 0; i < group->requested_count; i++) {
        SkinningCell *cell = &group->cells[i];
        if (cell->already_done)
            continue;
        const Status here = cell->plan.backend->probe(device, sizeof device);
        if (here.code == STATUS_OK)
            continue;
        record_fail(&cell->record, record_status_of(here.code), here.text);
        STATUS_TRY(cell_record_untimed(group, cell));
        cell->already_done = true;
    }
    return status_ok();
}

/* Makes the requested cells. Then makes the baselines of those requested cells that are still to be
 * timed. */
static Status group_cells_make(Group *group, const SkinningPlan *plans, int count)
{
    ALLOCATE(group->cells, 3 * (size_t)count + 1, "the cells of the benchmark");
    for (int i = 0; i < count; i++)
        STATUS_TRY(cell_add(group, &plans[i], false));
    group->requested_count = group->cell_count;
    if (!group->bench->forecast)
        STATUS_TRY(absent_cells_record(group));
    if (group->bench->no_times)
        return status_ok();
    for (int i = 0; i < group->requested_count; i++) {
        if (group->cells[i].already_done)
            continue;
        SkinningPlan lbs = skinning_plan_of_lbs(&group->cells[i].plan),
                     scalar = skinning_plan_of_scalar(&group->cells[i].plan);
        STATUS_TRY(cell_add(group, &lbs, true));
        STATUS_TRY(cell_add(group, &scalar, true));
    }
    STATUS_TRY(noise_control_add(group));
    return group_peers_make(group);
}

/* Whether a finished cell must be timed again, because it is the baseline of a cell that is still to be
 * timed. */
static bool cell_is_needed(const Group *group, const SkinningCell *cell)
{
    if (!cell->already_done)
        return true;
    for (int i = 0; i < group->requested_count; i++) {
        const SkinningCell *other = &group->cells[i];
        SkinningPlan lbs = skinning_plan_of_lbs(&other->plan), scalar = skinning_plan_of_scalar(&other->plan);
        if (!other->already_done &&
            (skinning_plan_same(&lbs, &cell->plan) || skinning_plan_same(&scalar, &cell->plan)))
            return true;
    }
    /* Peers are compared with LBS. */
    const SkinningPlan lbs = skinning_plan_of_lbs(&cell->plan);
    return group_peers_open(group) && cell->plan.backend == &backend_simd &&
           skinning_plan_same(&lbs, &cell->plan);
}

/* Binds and verifies a cell. If it will not be timed, it is appended at once. */
static Status cell_prepare(Group *group, SkinningCell *cell)
{
    const Status made = group_reference_make(group, &cell->plan);
    if (made.code == STATUS_OK)
        skinning_cell_prepare(cell, group->reference, group->counters, group->counter_count, &group->cache);
    else
        record_fail(&cell->record, record_status_of(made.code), made.text);
    if (cell->baseline || cell->already_done)
        return status_ok();
    if (!cell->live)
        return cell_record_untimed(group, cell);
    if (!group->bench->no_times)
        return status_ok();
    skinner_free(cell->skinner);
    cell->skinner = NULL;
    return bench_append(group->bench, &cell->record);
}

static Status cells_prepare(Group *group)
{
    for (int i = 0; i < group->cell_count; i++) {
        if (!cell_is_needed(group, &group->cells[i]))
            continue;
        if (!progress_report(group->bench->progress, group->subject->name, 0.0))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        STATUS_TRY(cell_prepare(group, &group->cells[i]));
    }
    const Status status = group->bench->no_times ? status_ok() : group_peers_prepare(group);
    skinner_free(group->reference);
    skinner_cache_clear(&group->cache);
    group->reference = NULL;
    group->reference_of = NULL;
    return status;
}

/* Adds a task of a cell or peer, and the samples that the journal has for it. */
static void task_add(Group *group, TimedTask *task, GroupTask owner)
{
    task->sample_count = journal_replay(&group->journal, owner.digest, owner.stage, group->bench->rounds_cap,
                                        task->samples, &task->inner, &task->disturbed);
    group->owners[group->task_count] = owner;
    group->tasks[group->task_count++] = task;
}

/* Ends a cell when one of its tasks fails, for example with a device error. The other cells continue. */
static Status cell_fail(void *context, int task, Status failure)
{
    Group *group = context;
    const GroupTask *owner = &group->owners[task];
    SkinningCell *cell = owner->cell;
    for (int w = 0; w < group->task_count; w++)
        if (group->owners[w].digest == owner->digest)
            group->tasks[w]->dropped = true;
    char reason[STATUS_TEXT_BYTES + 64];
    snprintf(reason, sizeof reason, "while it was timed (%s): %s", stage_names[owner->stage], failure.text);
    if (!cell) {
        owner->peer->live = false;
        record_fail(&owner->peer->record, RECORD_FAILED, reason);
        return status_ok();
    }
    cell->live = false;
    if (cell->baseline || cell->already_done)
        return status_ok();
    record_fail(&cell->record, RECORD_FAILED, reason);
    return cell_record_untimed(group, cell);
}

static Status sample_keep(void *context, int task, int round, double seconds, bool disturbed)
{
    Group *group = context;
    const GroupTask *owner = &group->owners[task];
    JournalSample sample = {.stage = owner->stage,
                            .round = round,
                            .inner = group->tasks[task]->inner,
                            .seconds = seconds,
                            .disturbed = disturbed};
    snprintf(sample.cell, sizeof sample.cell, "%s", owner->digest);
    STATUS_TRY(journal_append(&group->journal, &sample));
    if (round > 0 && round >= 4 * group->limits_round) { /* measure the limits after rounds 1, 4, 16, ... */
        group->limits_round = round;
        STATUS_TRY(group_limits_measure(group));
    }
    if (!owner->cell)
        return status_ok();
    const Status status = skinning_cell_ask_device(owner->cell, owner->stage);
    return status.code == STATUS_OK ? status : cell_fail(group, task, status);
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
                             .progress_what = group->subject->name,
                             .sample_taken = sample_keep,
                             .task_failed = cell_fail,
                             .context = group};
    STATUS_TRY(rounds_run(group->tasks, group->task_count, &options, group->order, group->scratch, end));
    if (*end == ROUNDS_STOPPED)
        return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
    return status_ok();
}

static void group_clear(Group *group)
{
    for (int i = 0; i < group->cell_count; i++)
        skinning_cell_clear(&group->cells[i]);
    group_peers_clear(group);
    skinner_free(group->reference);
    skinner_cache_clear(&group->cache);
    FREE_ALL(group->cells, group->tasks, group->owners, group->order, group->scratch);
    posing_clear(&group->posing);
    posing_clear(&group->repeated);
    journal_close(&group->journal);
}

/* Whether any requested cell is not finished. If `live` is set, only cells that are still to be timed
 * count. */
static bool any_open(const Group *group, bool live)
{
    for (int i = 0; i < group->requested_count; i++)
        if (!group->cells[i].already_done && (group->cells[i].live || !live))
            return true;
    return group_peers_open(group);
}

Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count)
{
    CLEANUP(group_clear) Group group = {.bench = bench, .subject = subject};
    char name[CELL_DIGEST_BYTES];
    RoundsEnd end = ROUNDS_PRECISE;
    bool normals = false;
    for (int i = 0; i < count; i++)
        normals = normals || plans[i].normals;
    const int vertices = subject->dataset->mesh.vertex_count;
    const int affordable = vertices > 0 ? VERTEX_FRAMES_MAX / vertices : VERTEX_FRAMES_MAX;
    const int frames = affordable < 1 ? 1 : int_min(affordable, bench->frames_cap);
    STATUS_TRY(posing_init(subject->dataset, frames, 0, &group.posing));
    STATUS_TRY(group_repeat_frames(&group, plans, count, normals));
    STATUS_TRY(group_cells_make(&group, plans, count));
    if (bench->forecast) {
        /* the rounds take at most the time budget, whatever the number of cells */
        int open = 0;
        for (int i = 0; i < group.requested_count; i++)
            open += !group.cells[i].already_done;
        for (int i = 0; i < group.requested_count; i++)
            STATUS_TRY(forecast_add(bench->forecast, bench->store, &group.cells[i].record.cell,
                                    group.cells[i].already_done, bench->time_budget_s / open));
        return status_ok();
    }
    if (!any_open(&group, false))
        return status_ok();
    STATUS_TRY(posing_results_make(&group.posing, vertices, normals));
    if (group.repeated.frame_count > 0)
        STATUS_TRY(posing_results_make(&group.repeated, vertices, normals));
    if (bench->no_times)
        return cells_prepare(&group);
    STATUS_TRY(environment_kernel_times_check());
    STATUS_TRY(bench_measure_bandwidth(bench));
    /* name the journal after the requested cells and the environment, whether or not some cells are done */
    const char *hash = bench->environment.hash;
    char digest[SHA256_TEXT_BYTES];
    Sha256 sum;
    sha256_begin(&sum);
    for (int i = 0; i < group.requested_count; i++)
        sha256_add(&sum, group.cells[i].digest, sizeof group.cells[i].digest);
    sha256_add(&sum, hash, strlen(hash));
    /* include the name of the frame stage in the hash, so that older journals, which lack this stage, are
     * not read */
    sha256_add(&sum, stage_names[STAGE_FRAME], strlen(stage_names[STAGE_FRAME]));
    sha256_end(&sum, digest);
    snprintf(name, CELL_DIGEST_BYTES, "%.16s", digest);
    STATUS_TRY(journal_open(bench->path, name, &group.journal));
    STATUS_TRY(cells_prepare(&group));
    if (any_open(&group, true)) {
        const int cap = group.bench->rounds_cap;
        const size_t capacity = (size_t)group.cell_count * TIMED_STAGES + (size_t)group.peer_count;
        ALLOCATE(group.tasks, capacity, "the samples of the benchmark");
        ALLOCATE(group.owners, capacity, "the samples of the benchmark");
        ALLOCATE(group.order, capacity, "the samples of the benchmark");
        ALLOCATE(group.scratch, 3 * (size_t)cap, "the samples of the benchmark");
        for (int k = 0; k < group.cell_count; k++) {
            SkinningCell *cell = &group.cells[k];
            if (!cell->live)
                continue;
            STATUS_TRY(skinning_cell_make_tasks(cell, cap));
            for (int w = 0; w < TIMED_STAGES; w++)
                task_add(&group, &cell->tasks[w],
                         (GroupTask){.cell = cell, .digest = cell->digest, .stage = timed_stage(w)});
        }
        for (int k = 0; k < group.peer_count; k++) {
            PeerCell *peer = &group.peers[k];
            if (peer->live)
                task_add(&group, &peer->task,
                         (GroupTask){.peer = peer, .digest = peer->digest, .stage = STAGE_FRAME});
        }
        if (bench->limits.threads == 0)
            STATUS_TRY(group_limits_measure(&group));
        STATUS_TRY(group_time(&group, &end));
        STATUS_TRY(group_records_append(&group, end));
    }
    journal_finish(&group.journal);
    return status_ok();
}

/* Times other programs (peers) in the rounds of a group: always the plain loop, and further peers on
 * request. A peer runs frame by frame on the rest pose, joints and weights, all in the order of the file. */
#include "harness/run/bench/group.h"

#include "datasets/geometry/points.h"
#include "harness/measure/metrics/frame_distance.h"
#include "harness/run/peers/plain_loop.h"

static Status peer_add(Group *group, const PeerFunctions *peer, int threads)
{
    if (!peer)
        return status_ok();
    for (int i = 0; i < group->peer_count; i++)
        if (group->peers[i].peer == peer && group->peers[i].threads == threads)
            return status_ok();
    Cell asked = {.kind = CELL_PEER,
                  .dataset = subject_cell_dataset(group->subject),
                  .threads = threads,
                  .frames = group->posing.frame_count};
    snprintf(asked.method, sizeof asked.method, "%s", peer->name);
    snprintf(asked.backend, sizeof asked.backend, "peer");
    PeerCell *cell = &group->peers[group->peer_count++];
    *cell = (PeerCell){.peer = peer,
                       .posing = &group->posing,
                       .vertex_count = group->subject->dataset->mesh.vertex_count,
                       .threads = threads,
                       .record = record_of(&asked)};
    record_set_text(&cell->record.device, peer->title);
    STATUS_TRY(cell_digest(&cell->record.cell, cell->digest));
    cell->already_done = bench_already_done(group->bench, &cell->record.cell);
    return status_ok();
}

Status group_peers_make(Group *group)
{
    const Bench *bench = group->bench;
    ALLOCATE(group->peers, (size_t)group->requested_count * ((size_t)bench->peer_count + 1),
             "the peers of the benchmark");
    for (int i = 0; i < group->requested_count; i++) {
        const SkinningCell *cell = &group->cells[i];
        if (cell->baseline || cell->plan.normals || cell->plan.two_phase || cell->posing->scale)
            continue;
        for (int p = 0; p < bench->peer_count; p++)
            STATUS_TRY(peer_add(group, bench->peers[p], cell->plan.threads));
        if (!cell->already_done || group_peers_open(group))
            STATUS_TRY(peer_add(group, plain_loop_peer(), cell->plan.threads));
    }
    return status_ok();
}

bool group_peers_open(const Group *group)
{
    for (int i = 0; i < group->peer_count; i++)
        if (!group->peers[i].already_done && group->peers[i].peer != plain_loop_peer())
            return true;
    return false;
}

static Status run_frames(void *context)
{
    PeerCell *cell = context;
    const Posing *posing = cell->posing;
    const size_t values = 3 * (size_t)cell->vertex_count;
    bool failed = false;
#pragma omp parallel for schedule(static) num_threads(cell->threads) if (cell->threads > 1)                  \
    reduction(||                                                                                             \
              : failed)
    for (int thread = 0; thread < cell->threads; thread++) {
        const int first = (int)((int64_t)posing->frame_count * thread / cell->threads);
        const int end = (int)((int64_t)posing->frame_count * (thread + 1) / cell->threads);
        for (int f = first; f < end && !failed; f++) {
            const Transform *transforms = posing->transforms + (size_t)f * posing->joint_count;
            failed = !cell->peer->skin(cell->states[thread], &transforms->m00,
                                       posing->positions + (size_t)f * values);
        }
    }
    return failed ? status_make(STATUS_SYSTEM, "the peer %.32s failed", cell->peer->name) : status_ok();
}

/* Binds and runs a peer, and finds its largest distance from the reference in diagonals. */
static Status peer_compare(const Group *group, PeerCell *cell, double *difference)
{
    const Mesh *mesh = &group->subject->dataset->mesh;
    for (int i = 0; i < cell->threads; i++) {
        cell->states[i] = cell->peer->bind(&group->peer_rig);
        if (!cell->states[i])
            return status_make(STATUS_CHECK_FAILED, "the peer does not accept the rig, or memory ran out");
    }
    STATUS_TRY(run_frames(cell));
    const double extent = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    LOCAL_TABLE(double, expected, mesh->vertex_count, 3, "the comparison with the reference");
    for (int f = 0; f < cell->posing->frame_count; f++) {
        const float *positions = cell->posing->positions + (size_t)f * 3 * (size_t)mesh->vertex_count;
        STATUS_TRY(skinner_read_double(group->reference, f, expected, NULL));
        *difference = fmax(*difference, frame_distance_of_floats(positions, expected, mesh->vertex_count) /
                                            (extent > 0.0 ? extent : 1.0));
    }
    return status_ok();
}

/* Makes a peer live if its distance from the reference is within `tolerance`; otherwise its record says why
 * not. */
static Status peer_verify(const Group *group, PeerCell *cell, double tolerance)
{
    Record *record = &cell->record;
    double difference = 0.0;
    ALLOCATE(cell->states, cell->threads, "the state of another program");
    const Status status = peer_compare(group, cell, &difference);
    if (status.code != STATUS_OK) {
        record_fail(record,
                    status.code == STATUS_CHECK_FAILED ? RECORD_FAILED : record_status_of(status.code),
                    status.text);
        return status_ok();
    }
    measures_add(&record->metrics, "reference_distance_max", difference);
    measures_add(&record->metrics, "tolerance", tolerance);
    cell->live = difference <= tolerance;
    cell->task = (TimedTask){.run = run_frames, .context = cell, .alone = cell->threads == 1};
    ALLOCATE(cell->task.samples, group->bench->rounds_cap, "the samples of another program");
    record->status = cell->live ? RECORD_OK : RECORD_WRONG;
    if (!cell->live)
        record_set_text(
            &record->reason,
            status_text("differs from reference by %.3g diagonals (tolerance %g)", difference, tolerance)
                .text);
    return measures_status(&record->metrics);
}

static Status peers_prepare(Group *group)
{
    const Dataset *dataset = group->subject->dataset;
    const Rig *rig = &dataset->rig;
    const size_t slots = (size_t)dataset->mesh.vertex_count * (size_t)rig->influence_count;
    SkinningPlan lbs = {.entry = skinning_entry_find("lbs")};
    if (group->peer_count == 0 || !lbs.entry)
        return status_ok();
    const SkinningMethod *method = lbs.entry->method;
    lbs.parameters = parameters_default(method->parameters);
    if (rig->joint_count > UINT16_MAX + 1 || rig->influence_count < 1)
        return bad_input("peers need 1 to %d joints and at least one influence per vertex, but the rig has "
                         "%d joints and %d influences",
                         UINT16_MAX + 1, rig->joint_count, rig->influence_count);
    ALLOCATE(group->peer_joints, slots, "the rig for other programs");
    for (size_t i = 0; i < slots; i++)
        group->peer_joints[i] = (uint16_t)rig->weight_joints[i];
    group->peer_rig = (PeerRig){.vertex_count = dataset->mesh.vertex_count,
                                .joint_count = rig->joint_count,
                                .influence_count = rig->influence_count,
                                .rest = dataset->mesh.rest,
                                .joints = group->peer_joints,
                                .weights = rig->weight_values};
    STATUS_TRY(group_reference_make(group, &lbs));
    for (int i = 0; i < group->peer_count; i++)
        STATUS_TRY(peer_verify(group, &group->peers[i], method->tolerance));
    return status_ok();
}

Status group_peers_prepare(Group *group)
{
    const Status status = peers_prepare(group);
    if (group->peer_count > 0)
        group->reference_of = NULL; /* reset, because it points to a plan that is local to peers_prepare */
    if (status.code != STATUS_BAD_INPUT && status.code != STATUS_UNAVAILABLE)
        return status;
    bench_note(group->bench, "%s: peers cannot be timed on this rig: %s", group->subject->name, status.text);
    return status_ok();
}

void group_peers_clear(Group *group)
{
    for (int p = 0; p < group->peer_count; p++) {
        PeerCell *cell = &group->peers[p];
        for (int i = 0; cell->states && i < cell->threads; i++)
            if (cell->states[i])
                cell->peer->release(cell->states[i]);
        FREE_ALL(cell->states, cell->task.samples);
        record_clear(&cell->record);
    }
    FREE_ALL(group->peers, group->peer_joints);
}

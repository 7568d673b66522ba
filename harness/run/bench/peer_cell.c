/* Runs a peer frame by frame on the rest pose, joints and weights, all in the order of the file. */
#include "harness/run/bench/peer_cell.h"

#include "datasets/geometry/points.h"
#include "harness/measure/metrics/frame_distance.h"

Status peer_subject_init(const Dataset *dataset, PeerSubject *out)
{
    const Rig *rig = &dataset->rig;
    const size_t slots = (size_t)dataset->mesh.vertex_count * (size_t)rig->influence_count;
    *out = (PeerSubject){{0}, NULL};
    if (rig->joint_count > UINT16_MAX + 1 || rig->influence_count < 1)
        return bad_input("peers need 1 to %d joints and at least one influence per vertex, but the rig has "
                         "%d joints and %d influences",
                         UINT16_MAX + 1, rig->joint_count, rig->influence_count);
    ALLOCATE(out->joints, slots, "the rig for other programs");
    for (size_t i = 0; i < slots; i++)
        out->joints[i] = (uint16_t)rig->weight_joints[i];
    out->rig = (PeerRig){.vertex_count = dataset->mesh.vertex_count,
                         .joint_count = rig->joint_count,
                         .influence_count = rig->influence_count,
                         .rest = dataset->mesh.rest,
                         .joints = out->joints,
                         .weights = rig->weight_values};
    return status_ok();
}

void peer_subject_clear(PeerSubject *subject)
{
    memory_free(subject->joints);
    *subject = (PeerSubject){{0}, NULL};
}

Status peer_cell_plan(PeerCell *cell, const PeerFunctions *peer, int threads, const Subject *subject,
                      const Posing *posing)
{
    Cell asked = {.kind = CELL_PEER,
                  .dataset = subject_cell_dataset(subject),
                  .threads = threads,
                  .frames = posing->frame_count};
    snprintf(asked.method, sizeof asked.method, "%s", peer->name);
    snprintf(asked.backend, sizeof asked.backend, "peer");
    *cell = (PeerCell){.peer = peer,
                       .posing = posing,
                       .vertex_count = subject->dataset->mesh.vertex_count,
                       .threads = threads,
                       .record = record_of(&asked)};
    record_set_text(&cell->record.device, peer->title);
    return cell_digest(&cell->record.cell, cell->digest);
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

static Status peer_cell_try(PeerCell *cell, const PeerSubject *subject, const Mesh *mesh, Skinner *reference,
                            double *difference)
{
    for (int i = 0; i < cell->threads; i++) {
        cell->states[i] = cell->peer->bind(&subject->rig);
        if (!cell->states[i])
            return status_make(STATUS_CHECK_FAILED, "the peer does not accept the rig, or memory ran out");
    }
    STATUS_TRY(run_frames(cell));
    const double extent = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    *difference = 0.0;
    LOCAL_TABLE(double, expected, mesh->vertex_count, 3, "the comparison with the reference");
    for (int f = 0; f < cell->posing->frame_count; f++) {
        STATUS_TRY(skinner_read_double(reference, f, expected, NULL));
        *difference =
            fmax(*difference, frame_distance_of_floats(cell->posing->positions +
                                                           (size_t)f * 3 * (size_t)mesh->vertex_count,
                                                       expected, mesh->vertex_count) /
                                  (extent > 0.0 ? extent : 1.0));
    }
    return status_ok();
}

Status peer_cell_prepare(PeerCell *cell, const PeerSubject *subject, const Mesh *mesh, Skinner *reference,
                         double tolerance)
{
    Record *record = &cell->record;
    double difference = 0.0;
    ALLOCATE(cell->states, cell->threads, "the state of another program");
    const Status status = peer_cell_try(cell, subject, mesh, reference, &difference);
    if (status.code != STATUS_OK) {
        record_fail(record,
                    status.code == STATUS_CHECK_FAILED ? RECORD_FAILED : record_status_of(status.code),
                    status.text);
        return status_ok();
    }
    measures_add(&record->metrics, "reference_distance_max", difference);
    measures_add(&record->metrics, "tolerance", tolerance);
    cell->live = difference <= tolerance;
    record->status = cell->live ? RECORD_OK : RECORD_WRONG;
    if (!cell->live)
        record_set_text(
            &record->reason,
            status_text("differs from reference by %.3g diagonals (tolerance %g)", difference, tolerance)
                .text);
    return measures_status(&record->metrics);
}

Status peer_cell_make_task(PeerCell *cell, int rounds_cap)
{
    cell->task = (TimedTask){.run = run_frames, .context = cell, .alone = cell->threads == 1};
    ALLOCATE(cell->task.samples, rounds_cap, "the samples of another program");
    return status_ok();
}

void peer_cell_clear(PeerCell *cell)
{
    for (int i = 0; cell->states && i < cell->threads; i++)
        if (cell->states[i])
            cell->peer->release(cell->states[i]);
    FREE_ALL(cell->states, cell->task.samples);
    record_clear(&cell->record);
    *cell = (PeerCell){.peer = NULL};
}

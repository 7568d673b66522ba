/* Times other programs (peers) in the rounds of a group: always the plain loop, and further peers on
 * request. */
#include "harness/run/bench/group.h"

#include "harness/run/peers/plain_loop.h"

static Status peer_add(Group *group, const PeerFunctions *peer, int threads)
{
    if (!peer)
        return status_ok();
    for (int i = 0; i < group->peer_count; i++)
        if (group->peers[i].peer == peer && group->peers[i].threads == threads)
            return status_ok();
    PeerCell *cell = &group->peers[group->peer_count++];
    STATUS_TRY(peer_cell_plan(cell, peer, threads, group->subject, &group->posing));
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

static Status peers_prepare(Group *group)
{
    SkinningPlan lbs = {.entry = skinning_entry_find("lbs")};
    if (group->peer_count == 0 || !lbs.entry)
        return status_ok();
    const SkinningMethod *method = lbs.entry->method;
    lbs.parameters = parameters_default(method->parameters);
    STATUS_TRY(peer_subject_init(group->subject->dataset, &group->peer_subject));
    STATUS_TRY(group_reference_make(group, &lbs));
    for (int i = 0; i < group->peer_count; i++)
        STATUS_TRY(peer_cell_prepare(&group->peers[i], &group->peer_subject, &group->subject->dataset->mesh,
                                     group->reference, method->tolerance));
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

const PeerCell *group_peer_find(const Group *group, const char *name, int threads)
{
    for (int i = 0; i < group->peer_count; i++) {
        const PeerCell *peer = &group->peers[i];
        if (peer->live && peer->threads == threads && strcmp(peer->peer->name, name) == 0)
            return peer;
    }
    return NULL;
}

/* A peer (peers/peer.h) on one rig: verified against the reference and ready to be timed in the rounds of a
 * group. */
#pragma once

#include "harness/run/bench/skinning_cell.h"
#include "harness/run/peers/peer.h"

/* The rig in the form that peers use, shared within a group. */
typedef struct PeerSubject {
    PeerRig rig;
    uint16_t *joints;
} PeerSubject;

/* Converts a rig. STATUS_BAD_INPUT if peers cannot use it. Release with peer_subject_clear. */
Status peer_subject_init(const Dataset *dataset, PeerSubject *out);
void peer_subject_clear(PeerSubject *subject);

typedef struct PeerCell {
    const PeerFunctions *peer;
    const Posing *posing;
    Record record;                  /* record of the peer, of kind CELL_PEER */
    char digest[CELL_DIGEST_BYTES]; /* digest of the cell's key */
    bool already_done;              /* the result file already has the cell */
    bool live;                      /* the peer is bound and correct, so it is timed */
    void **states; /* [threads] a state per thread; the frames are divided among the threads */
    int vertex_count, threads;
    TimedTask task;
} PeerCell;

/* Sets up the cell and names it; its record describes the request. */
Status peer_cell_plan(PeerCell *cell, const PeerFunctions *peer, int threads, const Subject *subject,
                      const Posing *posing);

/* Binds and runs the peer and compares it with `reference`, a posed and skinned LBS. If the distance is
 * within `tolerance` diagonals, the cell becomes live; otherwise its record says why not. */
Status peer_cell_prepare(PeerCell *cell, const PeerSubject *subject, const Mesh *mesh, Skinner *reference,
                         double tolerance);

/* Allocates the samples and makes the task, which times STAGE_FRAME. */
Status peer_cell_make_task(PeerCell *cell, int rounds_cap);

void peer_cell_clear(PeerCell *cell);

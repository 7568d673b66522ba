/* A peer (peers/peer.h) on one rig: verified against the reference, ready to be timed in the rounds of a
 * group. */
#pragma once

#include "harness/run/bench/skinning_cell.h"
#include "harness/run/peers/peer.h"

/* The rig as peers take it, shared by those of a group. */
typedef struct PeerSubject {
    PeerRig rig;
    uint16_t *joints;
} PeerSubject;

/* STATUS_BAD_INPUT: peers do not take the rig. Release with peer_subject_clear. */
Status peer_subject_init(const Dataset *dataset, PeerSubject *out);
void peer_subject_clear(PeerSubject *subject);

typedef struct PeerCell {
    const PeerFunctions *peer;
    const Posing *posing;
    Record record;                  /* of the kind CELL_PEER */
    char digest[CELL_DIGEST_BYTES]; /* of its key */
    bool already_done;              /* in the file already */
    bool live;                      /* bound and right: to be timed */
    void **states;                  /* [threads] frames are shared out among the threads */
    int vertex_count, threads;
    TimedTask task;
} PeerCell;

/* Names the cell; its record says what is asked for. */
Status peer_cell_plan(PeerCell *cell, const PeerFunctions *peer, int threads, const Subject *subject,
                      const Posing *posing);

/* Binds the peer, runs it, and compares it with `reference`, LBS posed and skinned: within `tolerance`
 * diagonals it is live, else its record says why it is not. */
Status peer_cell_prepare(PeerCell *cell, const PeerSubject *subject, const Mesh *mesh, Skinner *reference,
                         double tolerance);

/* Allocates the samples, and makes the work: the stage STAGE_FRAME. */
Status peer_cell_make_task(PeerCell *cell, int rounds_cap);

void peer_cell_clear(PeerCell *cell);

/* State shared by the cells of one rig while they are timed together: skinning_group.c runs the cells,
 * group_records.c makes their records, group_peers.c runs peers in the same rounds. */
#pragma once

#include "harness/run/bench/bench.h"
#include "harness/run/bench/journal.h"
#include "harness/run/bench/skinning_cell.h"
#include "harness/run/peers/peer.h"

/* A peer (peers/peer.h) on the group's rig. */
typedef struct PeerCell {
    const PeerFunctions *peer;
    const Posing *posing;
    Record record;                  /* record of the peer, of kind CELL_PEER */
    char digest[CELL_DIGEST_BYTES]; /* digest of the cell's key */
    bool already_done;              /* the result file already has the cell */
    bool live;                      /* the peer is timed, because its results are correct */
    void **states; /* [threads] a state per thread; the frames are divided among the threads */
    int vertex_count, threads;
    TimedTask task; /* times STAGE_FRAME */
} PeerCell;

/* One timed task of the group: the stage that it times, and the cell or peer that owns it. */
typedef struct GroupTask {
    SkinningCell *cell; /* cell that owns the task; NULL if a peer owns it */
    PeerCell *peer;
    const char *digest;
    Stage stage;
} GroupTask;

typedef struct Group {
    Bench *bench;
    const Subject *subject;
    Posing posing;
    Posing repeated; /* repeated frames for cells on a GPU (Bench.gpu_vertex_frames); empty if there are no
                        such cells */
    SkinningCell *cells; /* requested cells, then the baselines of these cells, then one copied cell whose
                            times show the run's noise */
    int cell_count, requested_count;
    int noise_control, noise_control_of; /* indices of two identical cells whose ratio shows the run's own
                                            noise; noise_control is -1 if there are none */
    PeerCell *peers; /* the plain loop and the requested peers, for each number of threads */
    int peer_count;
    PeerRig peer_rig; /* the rig in the form that peers use, with `peer_joints` */
    uint16_t *peer_joints;
    Skinner *reference; /* skinner of the reference backend, for the plan that was prepared last */
    SkinnerCache cache; /* of the method in the plan that was prepared last */
    RecordCounter
        counters[SKINNING_COUNTERS_MAX]; /* counters of the method in the plan that was prepared last */
    int counter_count;
    const SkinningPlan *reference_of;
    Status reference_status;
    TimedTask **tasks; /* tasks in the order of their owners: all timed cells, then the peers */
    GroupTask *owners;
    int task_count;
    int limits_round; /* number of the round after which the limits were last measured */
    double *scratch;
    int *order;
    Journal journal;
} Group;

/* Runs the cells of one rig that belong to the run's shard. Binds each cell and verifies it against backend
 * `reference`, then times all cells in common rounds. LBS on the same backend, and the same method on
 * `scalar`, are timed as well, for the ratios. STATUS_STOPPED if the user asked to stop; the measurements
 * are then in the journal. */
Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count);

/* Returns the cell of a plan; NULL if there is none. */
SkinningCell *group_cell_find(const Group *group, const SkinningPlan *plan);

/* Makes the reference for a plan's method. If the next plan needs the same reference, it is used again. */
Status group_reference_make(Group *group, const SkinningPlan *plan);

/* Adds the plain loop and the requested peers, once for each number of threads of the cells that are still
 * to be timed. Peers can only skin positions in one phase. If no cell to be timed does so, no peers are
 * added. */
Status group_peers_make(Group *group);
/* Whether a requested peer is still to be timed. */
bool group_peers_open(const Group *group);
/* Binds the peers that group_peers_make added, and compares them with LBS. Those that agree become live. */
Status group_peers_prepare(Group *group);
void group_peers_clear(Group *group);

/* Measures the machine's limits and keeps the higher values; called occasionally between the rounds. */
Status group_limits_measure(Group *group);
/* Measures the limits again after the rounds if a cell is faster than its limit allows. Repeats this at
 * most three times. */
Status group_limits_resolve(Group *group);
/* Computes the roof of a cell. It is unknown if the operations of the cell's method are not counted. */
Status group_roof_make(const Group *group, const SkinningCell *cell, Roof *out);

/* Appends the records of every requested cell, of every peer and of the noise, made from the samples of all
 * rounds. */
Status group_records_append(Group *group, RoundsEnd end);

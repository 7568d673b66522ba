/* State shared by the cells of one rig while they are timed together: skinning_group.c runs them,
 * group_records.c makes their records, group_peers.c runs peers beside them. Internal to this folder. */
#pragma once

#include "harness/run/bench/bench.h"
#include "harness/run/bench/journal.h"
#include "harness/run/bench/peer_cell.h"

/* A task of the group, with its owner and stage. */
typedef struct GroupTask {
    SkinningCell *cell; /* NULL if it belongs to a peer */
    PeerCell *peer;
    TimedTask *own; /* the owner's task, which is updated after the rounds */
    const char *digest;
    Stage stage;
} GroupTask;

typedef struct Group {
    Bench *bench;
    const Subject *subject;
    Posing posing;
    Posing repeated;     /* for cells on a GPU (Bench.gpu_vertex_frames); without frames if there are none */
    SkinningCell *cells; /* requested cells, then baselines, then noise_control */
    int cell_count, requested_count;
    int noise_control, noise_control_of; /* two identical cells, which show the run's own noise; noise_control
                                            is -1 if there are none */
    PeerCell *peers; /* the plain loop and the requested peers, for each number of threads */
    int peer_count;
    PeerSubject peer_subject;
    Skinner *reference;                            /* for the plan that was prepared last */
    RecordCounter counters[SKINNING_COUNTERS_MAX]; /* what its method counts */
    int counter_count;
    const SkinningPlan *reference_of;
    Status reference_status;
    TimedTask *tasks; /* tasks of the live cells, cell by cell, then of the peers */
    GroupTask *owners;
    int task_count;
    int limits_round; /* round in which the limits were last measured */
    double *scratch;
    int *order;
    Journal journal;
} Group;

/* The cell of a plan; NULL if there is none. */
SkinningCell *group_cell_find(const Group *group, const SkinningPlan *plan);

/* Makes the reference of a plan's method, and keeps it while the next plans need the same. */
Status group_reference_make(Group *group, const SkinningPlan *plan);

/* Adds the plain loop and the requested peers for each number of threads of a cell that is still to be
 * timed. Adds none if no cell does what peers do: positions in one phase. */
Status group_peers_make(Group *group);
/* Whether a requested peer is still to be timed. */
bool group_peers_open(const Group *group);
/* Binds and verifies the peers that are named. */
Status group_peers_prepare(Group *group);
/* The peer with this name and number of threads; NULL if it was not timed. */
const PeerCell *group_peer_find(const Group *group, const char *name, int threads);

/* Measures the machine's limits and keeps the higher values; called occasionally between the rounds. */
Status group_limits_measure(Group *group);
/* Measures the limits again after the rounds, at most three times, while a cell's median is below its
 * limit. */
Status group_limits_resolve(Group *group);
/* Computes the roof of a cell, which is unknown if nothing counts the cell's operations. */
Status group_roof_make(const Group *group, const SkinningCell *cell, Roof *out);

/* Appends records of every requested cell, of every peer and of the noise, from the samples of all
 * rounds. */
Status group_records_append(Group *group, RoundsEnd end);

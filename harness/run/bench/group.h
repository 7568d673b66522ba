/* What the cells of one rig share while they are timed together: skinning_group.c runs them, group_records.c
 * makes their records, group_peers.c keeps the peers beside them. Internal to this folder. */
#pragma once

#include "harness/run/bench/bench.h"
#include "harness/run/bench/journal.h"
#include "harness/run/bench/peer_cell.h"

/* A task of the group: whose it is, and which stage. */
typedef struct GroupTask {
    SkinningCell *cell; /* NULL: a peer's */
    PeerCell *peer;
    TimedTask *own; /* the owner's, which is brought up to date after the rounds */
    const char *digest;
    Stage stage;
} GroupTask;

typedef struct Group {
    Bench *bench;
    const Subject *subject;
    Posing posing;
    Posing repeated;     /* for cells on a GPU: Bench.gpu_vertex_frames; no frames: there are none */
    SkinningCell *cells; /* those asked for, then baselines, then the noise_control */
    int cell_count, requested_count;
    int noise_control,
        noise_control_of; /* two cells that are the same, for the run's own noise; the second -1: none */
    PeerCell *peers;      /* the plain loop and those asked for, with each number of threads */
    int peer_count;
    PeerSubject peer_subject;
    Skinner *reference;                            /* of the plan prepared last */
    RecordCounter counters[SKINNING_COUNTERS_MAX]; /* what its method counts */
    int counter_count;
    const SkinningPlan *reference_of;
    Status reference_status;
    TimedTask *tasks; /* those of the live cells, cell by cell, then of the peers */
    GroupTask *owners;
    int task_count;
    int limits_round; /* in which the limits were measured last */
    double *scratch;
    int *order;
    Journal journal;
} Group;

/* The cell of a plan; NULL: there is none. */
SkinningCell *group_cell_find(const Group *group, const SkinningPlan *plan);

/* The reference of a plan's method, kept as long as the next plans want the same. */
Status group_reference_make(Group *group, const SkinningPlan *plan);

/* Adds the plain loop and the requested peers for each number of threads of a cell still to be timed. Adds
 * none if no cell does what peers do: positions in one phase. */
Status group_peers_make(Group *group);
/* Whether a peer that the run asks for is still to be timed. */
bool group_peers_open(const Group *group);
/* Binds and verifies the peers that are named. */
Status group_peers_prepare(Group *group);
/* The peer of that name with this many threads, if it was timed; NULL: it was not. */
const PeerCell *group_peer_find(const Group *group, const char *name, int threads);

/* Measures the machine's limits and keeps the better ones; called now and then between the rounds. */
Status group_limits_measure(Group *group);
/* Measures them again after the rounds while a cell's median is below its limit, at most three times. */
Status group_limits_resolve(Group *group);
/* Computes the roof of a cell; it is unknown where nothing counts the cell's operations. */
Status group_roof_make(const Group *group, const SkinningCell *cell, Roof *out);

/* Appends a record of every requested cell, of every peer, and of the noise, from the samples of all
 * rounds. */
Status group_records_append(Group *group, RoundsEnd end);

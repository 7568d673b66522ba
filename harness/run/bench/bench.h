/* Benchmarking: what is run, and what a run of it shares. A cell is one line of the result file.
 *
 * A killed run loses at most what was in flight: cells that need no rounds (skipped, wrong, failed, fits) are
 * appended at once; cells that are timed in rounds together (those of one data set, see skinning_group.h)
 * keep every sample in a journal beside the result file, `RUN.jsonl.journal`, and are appended when their
 * rounds end. The same command resumes from the journal; it is removed when its cells are in the file. */
#pragma once

#include "harness/measure/timing/limits.h"
#include "harness/records/files/record_store.h"
#include "harness/run/peers/peer.h"

enum { SHARDS_MAX = 100000 };

/* The part of a run's cells that one machine of several does. By a hash of the cell's key, so that machines
 * need to agree on nothing but their number: each cell is run by exactly one. The key's threads do not count,
 * as a machine's default is its cores. index 1 to count; {0}: all cells. */
typedef struct Shard {
    int index, count;
} Shard;

/* Reads "I/N", digits alone. STATUS_USAGE says what is expected. */
Status shard_parse(const char *text, Shard *out);

/* Whether the shard runs the cell. STATUS_SYSTEM: out of memory. */
Status shard_holds(const Shard *shard, const Cell *cell, bool *out);

/* A dry run: what a run would do, and about how long, with nothing run, timed or written. */
typedef struct Forecast {
    int to_run, already; /* cells; those that the file has settled on this machine */
    int unknown;         /* of to_run: no record says how long they take */
    double expected_s;   /* of the others: the rounds of skinning by their budget, fits by what the same fit
                          * took, or another of the same method per vertex, frame and bone */
    /* Called with each cell; seconds: NAN where unknown. */
    Status (*cell)(void *context, const Cell *cell, bool already_done, double seconds);
    void *context;
} Forecast;

/* Counts a cell. seconds NAN: by the records of the store. */
Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds);

/* How cells ended, over a run. */
typedef struct BenchCounts {
    int ended[RECORD_STATUS_COUNT];
    int already; /* in the file from an earlier run on this machine */
} BenchCounts;

enum { PEERS_MAX = 8 };

typedef struct Bench {
    const char *path;   /* of the result file */
    RecordStore *store; /* open, locked; grows with every append */
    char run[RUN_BYTES];
    Environment environment;
    bool environment_appended;
    Bandwidth bandwidth;  /* threads 0: not measured yet */
    Limits limits;        /* threads 0: likewise; grow with every group of cells */
    double time_budget_s; /* of the rounds of one data set */
    int rounds_minimum, rounds_cap, frames_cap, threads;
    /* On GPUs frames are repeated until there are this many vertices in all, as few measure launches
     * alone. */
    double gpu_vertex_frames;
    double precision;
    const PeerFunctions *peers[PEERS_MAX]; /* asked for, besides the plain loop */
    int peer_count;
    Shard shard; /* which of the cells asked for are run here; the others are as if they were not asked for */
    bool no_times;  /* cells are verified and measured, and not timed */
    bool anonymous; /* the environment is anonymized, and reasons hold no paths */
    const Progress *progress;
    void (*note)(void *context, const char *text); /* may be NULL */
    void *note_context;
    BenchCounts counts;
    Forecast
        *forecast; /* a dry run: cells are counted there, nothing is run or written; NULL: they are run */
} Bench;

/* Opens the result file (in a dry run only reads it, if there is one) and describes the environment; the
 * run's `environment` record is appended before its first cell. path, progress, note and limits are set by
 * the caller before. bench_close is needed on every path. */
Status bench_open(Bench *bench);
void bench_close(Bench *bench);

void bench_note(const Bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* After the last cell of a run in shards: notes how many cells fell here. A file that is still empty gets the
 * environment, so that it can be merged with the others. */
Status bench_shard_end(Bench *bench);

/* Whether the file has a record of the cell, measured on this machine, that settles it: with times, where the
 * run is one that times. */
bool bench_already_done(const Bench *bench, const Cell *cell);
/* Completes a record (run, time, environment), appends and counts it, and takes it over. A record whose
 * status and reason are those the file ends with for this cell is counted but not appended again. */
Status bench_append(Bench *bench, Record *record);
/* Measures the bandwidth, once per run: not when there is nothing left to do. */
Status bench_measure_bandwidth(Bench *bench);

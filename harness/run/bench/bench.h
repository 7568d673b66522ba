/* Benchmarking: what is run, and the state that a run shares. A cell is one line of the result file.
 *
 * A killed run loses at most what was in flight. Cells without rounds (skipped, wrong, failed, fits) are
 * appended at once. Cells that are timed together in rounds (those of one data set, see skinning_group.h)
 * keep every sample in a journal beside the result file, `RUN.jsonl.journal`, and are appended when their
 * rounds end. The same command resumes from the journal, which is removed when its cells are in the
 * file. */
#pragma once

#include "harness/measure/timing/limits.h"
#include "harness/records/files/record_store.h"
#include "harness/run/peers/peer.h"

enum { SHARDS_MAX = 100000 };

/* The part of a run's cells that one of several machines does. A hash of the cell's key decides, so
 * machines need to agree only on their number, and exactly one runs each cell. The threads in the key do
 * not count, because a machine's default is its number of cores. index 1 to count; {0} means all cells. */
typedef struct Shard {
    int index, count;
} Shard;

/* Parses "I/N", digits only. STATUS_USAGE says what is expected. */
Status shard_parse(const char *text, Shard *out);

/* Whether the shard runs the cell. STATUS_SYSTEM if out of memory. */
Status shard_holds(const Shard *shard, const Cell *cell, bool *out);

/* A dry run: what a run would do and roughly how long it would take. Nothing is run, timed or written. */
typedef struct Forecast {
    int to_run, already; /* cells to run; cells that the file already has from this machine */
    int unknown;         /* part of to_run whose time no record tells */
    double expected_s; /* estimate for the rest: skinning rounds by their budget; fits by the time of the same
                          fit, or by that of another fit of the same method per vertex, frame and bone */
    /* Called with each cell; `seconds` is NAN if unknown. */
    Status (*cell)(void *context, const Cell *cell, bool already_done, double seconds);
    void *context;
} Forecast;

/* Counts a cell. If `seconds` is NAN, it is estimated from the records of the store. */
Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds);

/* How many cells of a run ended in each way. */
typedef struct BenchCounts {
    int ended[RECORD_STATUS_COUNT];
    int already; /* already in the file from an earlier run on this machine */
} BenchCounts;

enum { PEERS_MAX = 8 };

typedef struct Bench {
    const char *path;   /* path of the result file */
    RecordStore *store; /* open and locked; grows with every append */
    char run[RUN_BYTES];
    Environment environment;
    bool environment_appended;
    Bandwidth bandwidth;  /* threads is 0 until it is measured */
    Limits limits;        /* threads is 0 until they are measured; raised with every group of cells */
    double time_budget_s; /* for the rounds of one data set */
    int rounds_minimum, rounds_cap, frames_cap, threads;
    /* On GPUs frames are repeated until there are this many vertices in total, because a few frames measure
     * only the launches. */
    double gpu_vertex_frames;
    double precision;
    const PeerFunctions *peers[PEERS_MAX]; /* requested peers, in addition to the plain loop */
    int peer_count;
    Shard shard; /* which of the cells asked for are run here; the others are as if they were not asked for */
    bool no_times;  /* cells are verified and measured, and not timed */
    bool anonymous; /* the environment is anonymized, and reasons hold no paths */
    const Progress *progress;
    void (*note)(void *context, const char *text); /* may be NULL */
    void *note_context;
    BenchCounts counts;
    Forecast *forecast; /* if not NULL, a dry run: cells are counted there, and nothing is run or written */
} Bench;

/* Opens the result file (a dry run only reads it, if it exists) and describes the environment, whose record
 * is appended before the first cell. The caller sets path, progress, note and limits before. Always call
 * bench_close. */
Status bench_open(Bench *bench);
void bench_close(Bench *bench);

void bench_note(const Bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call after the last cell of a sharded run: notes how many cells fell to this shard. If the file is still
 * empty, the environment is appended, so that the file can be merged with others. */
Status bench_shard_end(Bench *bench);

/* Whether the file has a final record of the cell from this machine, with times if the run times cells. */
bool bench_already_done(const Bench *bench, const Cell *cell);
/* Completes a record (run, time, environment), appends and counts it, and takes ownership. If the file's
 * last record of this cell has the same status and reason, the new one is counted but not appended. */
Status bench_append(Bench *bench, Record *record);
/* Measures the bandwidth once per run, if there is anything to do. */
Status bench_measure_bandwidth(Bench *bench);

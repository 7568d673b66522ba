/* Benchmarking: what is run, and the state that a run shares. A cell is one line of the result file.
 *
 * A killed run loses at most the measurement in progress. Cells without rounds (skipped, wrong, failed,
 * fits) are appended at once. The cells of one data set are timed together in rounds (skinning_group.c).
 * Every sample is written to a journal beside the result file, `RUN.jsonl.journal`, and the cells are
 * appended when their rounds end. The same command resumes from the journal, which is removed when its
 * cells are in the file. */
#pragma once

#include "harness/measure/timing/limits.h"
#include "harness/records/files/record_store.h"
#include "harness/records/record/subject.h"
#include "harness/run/peers/external.h"
#include "harness/run/peers/peer.h"

enum { SHARDS_MAX = 100000 };

/* The part of a run's cells that one of several machines runs. A hash of the cell's key decides which
 * machine runs it. The machines only need to agree on how many they are; exactly one of them runs each
 * cell. The hash leaves out the number of threads, because its default is the number of cores of a machine.
 * index is 1 to count; {0} means all cells. */
typedef struct Shard {
    int index, count;
} Shard;

/* Parses "I/N", where both numbers are plain digits. The message of STATUS_USAGE says what is expected. */
Status shard_parse(const char *text, Shard *out);

/* Whether the shard runs the cell. STATUS_SYSTEM if out of memory. */
Status shard_holds(const Shard *shard, const Cell *cell, bool *out);

/* Result of a dry run: what a run would do, and roughly how long it would take. A dry run measures and
 * writes nothing. */
typedef struct Forecast {
    int to_run, already; /* cells to run, and cells that the file already has from this machine */
    int unknown;         /* number of cells in to_run whose time cannot be estimated from records */
    /* Estimated time of the remaining cells in to_run. A skinning cell is assumed to use its full time
     * budget. A fit is assumed to take as long as an earlier run of the same fit. Without an earlier run, the
     * time of another fit by the same method is scaled by the numbers of vertices, frames and bones. */
    double expected_s;
    /* Called once for each cell; `seconds` is NAN if the time is unknown. */
    Status (*cell)(void *context, const Cell *cell, bool already_done, double seconds);
    void *context;
} Forecast;

/* Counts a cell. If `seconds` is NAN, the time of the cell is estimated from the records of the store. */
Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds);

/* Number of cells of a run by their final status. */
typedef struct BenchCounts {
    int ended[RECORD_STATUS_COUNT];
    int already; /* already in the file from an earlier run on this machine */
} BenchCounts;

enum { PEERS_MAX = 8 };

/* External programs that a run measures. */
typedef struct Externals {
    External *items[PEERS_MAX]; /* owned */
    int count;
} Externals;

/* Returns the program of this name, or NULL. */
External *externals_find(const Externals *externals, const char *name);

typedef struct Bench {
    const char *path; /* path of the result file */
    RecordStore
        *store; /* records of the result file, which is open and locked; each appended record is added here */
    char run[RUN_BYTES];
    Environment environment;
    bool environment_appended;
    Bandwidth bandwidth; /* memory bandwidth; its member `threads` is 0 until the bandwidth is measured */
    Limits limits; /* Limits of the machine; the member `threads` is 0 until they are measured. Every group
                      measures them again, and the higher values are kept. */
    double time_budget_s; /* time for the rounds of one data set */
    int rounds_minimum, rounds_cap, frames_cap, threads;
    /* On a GPU, frames are repeated until their vertices add up to this number. With only a few frames, the
     * time to launch kernels would dominate. */
    double gpu_vertex_frames;
    double precision;
    const PeerFunctions
        *peers[PEERS_MAX]; /* names of the peers (other programs) to be timed in addition to the plain loop */
    int peer_count;
    Externals externals; /* released by bench_close */
    Subject *generated;  /* [generated_count] data sets of table rows, each generated once for all rows that
                            ask for it; released by bench_close */
    int generated_count;
    Shard shard;    /* part of the cells that this run does; requested cells of other parts are treated as if
                       they had not been requested */
    bool no_times;  /* verify cells and measure their accuracy, but not their times */
    bool anonymous; /* anonymize the environment and remove paths from reasons */
    const Progress *progress;
    void (*note)(void *context, const char *text); /* may be NULL */
    void *note_context;
    BenchCounts counts;
    Forecast
        *forecast; /* counts the cells of a dry run, which runs and writes nothing; NULL in any other run */
} Bench;

/* Opens the result file and describes the environment, whose record is appended before the first cell. A
 * dry run only reads the file, if it exists. Before the call, set path, progress, note and limits. Always
 * call bench_close afterwards, also on failure. */
Status bench_open(Bench *bench);
void bench_close(Bench *bench);

void bench_note(const Bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Call after the last cell of a sharded run. Notes how many cells this shard ran. If the file is still
 * empty, appends the environment so that the file can be merged with others. */
Status bench_shard_end(Bench *bench);

/* Whether the file has a final record of the cell from this machine. If the run times cells, the record
 * must have times. */
bool bench_already_done(const Bench *bench, const Cell *cell);
/* Completes a record (run, time, environment), then appends it, counts it and takes ownership. If the last
 * record of its cell in the file has the same status and reason, the new record is counted but not
 * appended. */
Status bench_append(Bench *bench, Record *record);
/* Looks for the description of an external program that a suite or a table names, unless the run has it.
 * Notes if it is missing; the cells of the program are then skipped. */
Status bench_external_load(Bench *bench, const char *name);

/* Measures the memory bandwidth once per run, for cells whose kernels are timed. This takes seconds. If an
 * earlier run of the same file measured it in the same environment and hour, that value is used again. */
Status bench_measure_bandwidth(Bench *bench);

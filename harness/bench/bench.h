/* Benchmarking: which cells there are, and what a run of them shares. A cell is one line of the result file.
 *
 * A killed run loses at most what was in flight: cells that need no rounds (skipped, wrong, failed, fits) are
 * appended at once; cells that are timed in rounds together (those of one data set, see skinning_group_run)
 * keep every sample in a journal beside the result file, `RUN.jsonl.journal`, and are appended when their
 * rounds end. The same command goes on from the journal; it is removed when its cells are in the file. */
#ifndef SKINBENCH_BENCH_BENCH_H
#define SKINBENCH_BENCH_BENCH_H

#include "datasets/base/parameters.h"
#include "datasets/base/progress.h"
#include "harness/bench/subject.h"
#include "harness/records/results.h"
#include "harness/timing/bandwidth.h"
#include "methods/runtime/skinner.h"
#include <stdbool.h>

/* How cells ended, over a run. */
typedef struct BenchCounts {
    int ok, skipped, wrong, failed, already; /* already: in the file from an earlier run */
} BenchCounts;

typedef struct Bench {
    const char *path;  /* of the result file */
    ResultsFile *file; /* open, locked */
    json_t *records;   /* what the file holds, grows with every append */
    char run[48];      /* names this run in its records */
    json_t *environment;
    Bandwidth bandwidth;  /* threads 0: not measured yet */
    double time_budget_s; /* of the rounds of one data set */
    int rounds_minimum, rounds_cap, frames_cap, threads;
    double precision;
    const Progress *progress;
    void (*note)(void *context, const char *text); /* NULL: nobody reads notes */
    void *note_context;
    BenchCounts counts;
} Bench;

/* Opens the result file and describes the environment; the run's `environment` record is appended before its
 * first cell. path, progress, note, limits are set by the caller
 * before. bench_close is needed on every path. */
Status bench_open(Bench *bench);
void bench_close(Bench *bench);

/* Measures the bandwidth, once per run: not when there is nothing left to do. */
Status bench_measure_bandwidth(Bench *bench);

/* The last record of this cell in the file; NULL: none. Borrowed. */
const json_t *bench_find(const Bench *bench, const char *key);
/* Whether a record settles its cell for good: "ok" and "wrong" do; what was skipped or failed is tried again,
 * for the device or library may be there now. */
bool record_json_is_settled(const json_t *record);

/* Completes a record (run, time, environment), appends it and counts it. A record whose status and reason are
 * those the file ends with for this cell is counted but not appended again. Takes the reference. */
Status bench_append(Bench *bench, json_t *record);

void bench_note(const Bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One way to skin. */
typedef struct SkinningPlan {
    const SkinningEntry *entry; /* the method */
    ParameterValues parameters;
    const Backend *backend;
    char level[16]; /* instruction-set level; "": the best */
    int threads;
    bool normals;
    bool two_phase; /* SkinnerOptions' two_phase */
} SkinningPlan;

/* A plan of a method under its defaults and `settings` (name=value), for the rest to be filled in:
 * `reference`, one thread. STATUS_USAGE for a method or parameter that is not known. */
Status skinning_plan_make(const char *method, const char *const *settings, int setting_count,
                          SkinningPlan *out);

/* A new object of the members that tell a plan's records from others: kind, method, backend, level (where one
 * is asked for), parameters, threads, normals, two_phase (where it is asked for). */
json_t *skinning_plan_to_json(const SkinningPlan *plan);

/* Runs the cells of one rig: binds and verifies each against `reference`, then times all in common rounds.
 * LBS on the same backend and `scalar` of the same method are timed along where they are not among the plans
 * (or done already), for the ratios. STATUS_STOPPED when the user asked for a stop; the journal then keeps
 * what was measured. */
Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count);

#endif

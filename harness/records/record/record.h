/* A record: a cell and what came of it. Google Benchmark's `Run`: a struct, and JSON its form on disk alone
 * (record_json.h). Unless said otherwise, a missing number is NAN and a missing text "". */
#pragma once

#include "harness/measure/environment/environment.h"
#include "harness/records/record/cell.h"
#include "harness/records/record/measures.h"
#include "harness/records/record/timing.h"

typedef enum RecordStatus {
    RECORD_OK,
    RECORD_SKIPPED, /* something is not here: a device, a library; or the method does not take the data */
    RECORD_WRONG,   /* ran, and differs from the reference by more than its tolerance, or is not finite */
    RECORD_FAILED,
    RECORD_STATUS_COUNT
} RecordStatus;

/* "ok", "skipped", "wrong", "failed". */
extern const char *const record_status_names[RECORD_STATUS_COUNT + 1]; /* NULL-terminated */

enum { RUN_BYTES = 48, TIME_STAMP_BYTES = 32, REASON_BYTES = STATUS_TEXT_BYTES + 64, FIT_END_BYTES = 32 };

/* What a method counts, over the posed frames. */
typedef struct RecordCounter {
    char name[MEASURE_NAME_BYTES];
    double mean, max;
} RecordCounter;

/* The model after an iteration, by the method's own account; 0: before the first. */
typedef struct DescentPoint {
    int iteration;
    double e_rms, elapsed_s;
} DescentPoint;

/* One number of bones that a search tried. */
typedef struct SearchTrial {
    int bones, bones_delivered;
    double e_rms, total_s;
} SearchTrial;

/* What a fit came to; known: all but the trials, which a search that failed has alone. */
typedef struct FitFacts {
    bool known;
    char end[FIT_END_BYTES]; /* why it ended (fit_end_name) */
    int bones_requested, bones_delivered, reduced_dimension, singular_systems;
    double size_bytes;     /* what a player holds of the model */
    DescentPoint *descent; /* [descent_count], owned */
    DescentPoint *stages;  /* [stage_count] the best model at the end of each, owned; none: without stages */
    SearchTrial *trials;   /* [trial_count], owned */
    int descent_count, stage_count, trial_count;
} FitFacts;

typedef struct Record {
    Cell cell;
    char run[RUN_BYTES];         /* names the run it was measured in */
    char time[TIME_STAMP_BYTES]; /* UTC, when it was written */
    char environment[ENVIRONMENT_HASH_BYTES];
    const char *machine; /* of that environment, the store's; "": unknown, its environment is in no record */
    RecordStatus status;
    const char *reason; /* of a status that is not ok (record_set_text) */
    Measures metrics;   /* by the names of the metric rows, of fits curves over the frames too */
    Measures held;      /* of fits with held-out frames: the same of those */
    Timing timing;
    const char *device;      /* skinning: what it ran on (record_set_text) */
    int joint_sets;          /* skinning: how many the method sees; -1: unknown */
    RecordCounter *counters; /* skinning: [counter_count], owned */
    int counter_count;
    FitFacts fit;                /* decomposition */
    Measures measures;           /* studies: numbers and curves */
    struct StoredRecord *stored; /* its place in a store (record_store.c) */
} Record;

/* An empty record of a cell, which it takes over. Release with record_clear. */
Record record_of(Cell *cell);
void record_clear(Record *record);
DEFINE_OWNED_BY(Record, record_clear)

/* Sets the reason or the device to a copy of less than REASON_BYTES without control characters: where it is
 * not empty, the record owns it. Without memory it is "", and memory_failures counts. */
void record_set_text(const char **text, const char *value);

/* Copies what was counted. */
Status record_set_counters(Record *record, const RecordCounter *counters, int count);

/* The record ends with this status: its metrics and times are dropped. */
void record_fail(Record *record, RecordStatus status, const char *reason);

/* What a run that ended so makes of its cell: ok; wrong where a check of its result failed; skipped where a
 * device or library is missing or the data are not what the method takes; else failed. */
RecordStatus record_status_of(StatusCode code);

/* Whether a record settles its cell for good: "ok" and "wrong" do; what was skipped or failed is tried again,
 * for the device or library may be there now. */
bool record_is_settled(const Record *record);

/* Getters for a record that may be NULL: NAN, or NULL, for what is not there. */
double record_metric(const Record *record, const char *name);
double record_stage_median_s(const Record *record, Stage stage);
const Interval *record_derived(const Record *record, Derived derived);
const RecordCounter *record_counter(const Record *record, const char *name);
/* E_RMS after this many iterations of a fit. */
double record_e_rms_after(const Record *record, int iteration);
/* What a study measured. */
double record_measure(const Record *record, const char *name);
const Measure *record_curve(const Record *record, const char *name);

/* UTC now as "2025-01-31T12:34:56Z". */
void time_stamp(char text[TIME_STAMP_BYTES]);

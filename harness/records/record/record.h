/* A record: a cell and its results, like `Run` in Google Benchmark. record_json.h converts records to JSON,
 * the form in which they are stored. Unless said otherwise, a missing number is NAN and a missing text is
 * "". */
#pragma once

#include "harness/measure/environment/environment.h"
#include "harness/records/record/cell.h"
#include "harness/records/record/measures.h"
#include "harness/records/record/timing.h"

typedef enum RecordStatus {
    RECORD_OK,
    RECORD_SKIPPED, /* a device or library is missing, or the method does not accept the data */
    RECORD_WRONG, /* the cell ran, but its result is not finite or differs from the reference by more than the
                     tolerance */
    RECORD_FAILED,
    RECORD_STATUS_COUNT
} RecordStatus;

/* Names of the statuses: "ok", "skipped", "wrong", "failed". */
extern const char *const record_status_names[RECORD_STATUS_COUNT + 1]; /* NULL-terminated */

enum { RUN_BYTES = 48, TIME_STAMP_BYTES = 32, REASON_BYTES = STATUS_TEXT_BYTES + 64, FIT_END_BYTES = 32 };

/* A counter that a method reports, with its statistics over the posed frames. */
typedef struct RecordCounter {
    char name[MEASURE_NAME_BYTES];
    double mean, max;
} RecordCounter;

/* The model after an iteration, as reported by the method. Iteration 0 is the start. */
typedef struct DescentPoint {
    int iteration;
    double e_rms, elapsed_s;
} DescentPoint;

/* One fit made during a search for the number of bones. */
typedef struct SearchTrial {
    int bones, bones_delivered;
    double e_rms, total_s;
} SearchTrial;

/* Facts about a fit. If `known` is false, as after a failed search, only the trials are set. */
typedef struct FitFacts {
    bool known;
    char end[FIT_END_BYTES]; /* reason why the fit ended, one of the names of fit_end_name */
    int bones_requested, bones_delivered, reduced_dimension, singular_systems;
    /* Kind of the model, by which fits are compared with their like. transforms: "rigid" or "affine" bones,
     * or "low-rank" for a model without bones. rest_pose: "kept" if the model has the rest pose from which
     * the fit started, "moved" if the fit chose another, "corrected" if a low-rank model corrects it in
     * every frame. "" in older records. */
    char transforms[FIT_END_BYTES], rest_pose[FIT_END_BYTES];
    double size_bytes;     /* bytes of the model that are needed for playback */
    DescentPoint *descent; /* [descent_count], owned */
    DescentPoint *stages; /* [stage_count] the best model at the end of each stage of the method; owned; empty
                             if the method has no stages */
    SearchTrial *trials;  /* [trial_count], owned */
    int descent_count, stage_count, trial_count;
} FitFacts;

/* Facts about the run of an external program, as the harness measured them. */
typedef struct ExternalFacts {
    char
        sha256[CELL_SHA256_BYTES]; /* digest of the description and of the files that it names (external.c) */
    char version[128];             /* what the program says; "": the description has no version command */
    char command[1024];            /* the command of the description, with its placeholders */
    bool deterministic;            /* whether the description says so, and two runs gave the same model */
    int exit_code;                 /* -1 if the program did not exit by itself */
    double wall_s, processor_s;    /* times of the last run, which include its start-up */
    double peak_bytes;             /* largest resident memory, sampled */
    double startup_s;              /* wall time of a run on a tetrahedron; NAN if that run failed */
    double reported_s; /* time that the program reports for its work alone; NAN if it reports none */
} ExternalFacts;

typedef struct Record {
    Cell cell;
    char run[RUN_BYTES];         /* name of the run */
    char time[TIME_STAMP_BYTES]; /* time of writing, UTC */
    char environment[ENVIRONMENT_HASH_BYTES];
    const char *machine; /* machine on which the record was measured, borrowed from the store; "" if no record
                            describes the environment */
    RecordStatus status;
    const char *reason; /* why the status is not ok (record_set_text) */
    Measures metrics;   /* metrics by name; for fits also curves over the frames */
    Measures held;      /* metrics of the frames that were held out of a fit; of a failed score, the numbers
                           that count in means with failures */
    Timing timing;
    const char *device;      /* skinning: device that ran it; scores: SHA-256 of the predicted file (with
                                --mesh, of both files), or "" (record_set_text) */
    int joint_sets;          /* skinning: number of joint sets that the method distinguishes; -1: unknown */
    RecordCounter *counters; /* skinning: [counter_count], owned */
    int counter_count;
    FitFacts fit;                /* only for decompositions */
    Measures measures;           /* studies: numbers and curves */
    ExternalFacts *external;     /* what an external program did, owned; NULL if skinbench did the work */
    struct StoredRecord *stored; /* the store's entry for this record (record_store.c) */
} Record;

/* Makes an empty record that takes ownership of the cell. Release with record_clear. */
Record record_of(Cell *cell);
void record_clear(Record *record);
DEFINE_OWNED_BY(Record, record_clear)

/* Sets `reason` or `device` to a copy of the text without control characters, shorter than REASON_BYTES.
 * The record owns the copy unless it is "". If memory runs out, the text is "" and memory_failures counts
 * the failure. */
void record_set_text(const char **text, const char *value);

/* Copies the counters into the record. */
Status record_set_counters(Record *record, const RecordCounter *counters, int count);

/* Gives the record this status and reason, and drops its metrics and times. */
void record_fail(Record *record, RecordStatus status, const char *reason);

/* Converts the status of a run to the status of a record. If the check of the result failed, the record is
 * "wrong". If a device or library is missing, or the method does not accept the data, it is "skipped".
 * After any other error it is "failed". */
RecordStatus record_status_of(StatusCode code);

/* Whether a record is final: its status is "ok" or "wrong". Skipped and failed cells are tried again,
 * because the device or library may now be available. */
bool record_is_final(const Record *record);

/* Getters for a record that may be NULL. Missing values are NAN or NULL. */
double record_metric(const Record *record, const char *name);
double record_stage_median_s(const Record *record, Stage stage);
const Interval *record_derived(const Record *record, Derived derived);
/* Returns the E_RMS of a fit after this many iterations. */
double record_e_rms_after(const Record *record, int iteration);
/* Returns the time from the start of a fit until the end of this iteration. */
double record_elapsed_after_s(const Record *record, int iteration);
/* Return a number or a curve of a study. */
double record_measure(const Record *record, const char *name);
const Measure *record_curve(const Record *record, const char *name);

/* Writes the current UTC time as "2025-01-31T12:34:56Z". */
void time_stamp(char text[TIME_STAMP_BYTES]);

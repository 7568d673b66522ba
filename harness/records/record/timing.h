/* The times of a cell: samples and statistics of each stage, and numbers derived from them. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Stages of skinning, then of fits. */
typedef enum Stage {
    STAGE_BIND,
    STAGE_FIRST_FRAME, /* like STAGE_FRAME for all frames, right after bind with cold caches */
    STAGE_POSE,
    STAGE_SKIN,
    STAGE_DELIVER, /* from bound order to file order */
    STAGE_FRAME,   /* the time a user waits: pose, skin, and packed positions in file order */
    STAGE_TOTAL,   /* by the harness's clock; the five stages after it are reported by the method */
    STAGE_REDUCTION,
    STAGE_CLUSTERING,
    STAGE_INITIALIZATION,
    STAGE_SWEEPS,
    STAGE_STEP, /* one sweep */
    STAGE_COUNT
} Stage;

/* The names used in records: "bind", "first_frame", "pose", "skin", "deliver", "frame", "total", ... */
extern const char *const stage_names[STAGE_COUNT + 1]; /* NULL-terminated */
/* Returns false if no stage has that name. */
bool stage_find(const char *name, Stage *out);

typedef struct StageTime {
    Stage stage;
    Statistics statistics; /* in seconds; the median is NAN if the stage was not timed */
    int inner;             /* runs per sample */
    double *samples;       /* [sample_count] in the order of the rounds, owned */
    int sample_count;
} StageTime;

/* Derived numbers, with the 95 % interval of their median. */
typedef enum Derived {
    DERIVED_FRAME_NS_PER_VERTEX,  /* the headline: time of a frame in file order per vertex, pose included */
    DERIVED_FRAME_RATIO_TO_LBS,   /* ratio of samples of the same rounds; NAN if lbs was not timed */
    DERIVED_FRAME_RATIO_TO_PLAIN, /* ratio to a plain LBS loop with as many threads (peers/plain_loop.h) */
    DERIVED_NS_PER_VERTEX,        /* skin stage, per vertex and frame */
    DERIVED_RATIO_TO_LBS,         /* ratios of the skin stage, also below */
    DERIVED_RATIO_TO_SCALAR,
    DERIVED_COUNT
} Derived;

/* Names of the derived numbers: "frame_ns_per_vertex", "frame_ratio_to_lbs", "ns_per_vertex", ... */
extern const char *const derived_names[DERIVED_COUNT];

typedef struct Interval {
    double median, low, high; /* NAN: none */
} Interval;

/* The median of samples and its interval, multiplied by a factor. */
Interval interval_of(const Statistics *statistics, double factor);

/* A number and its uncertainty. */
typedef struct SampledNumber {
    double value;         /* the median if it is timed; NAN: none */
    double low, high;     /* 95 % interval; equal to the value if it is not timed; NAN with too few samples */
    int samples;          /* 0: not timed, equal in every run */
    bool disturbed;       /* other work on the machine spoiled the samples */
    const double *series; /* [samples] in the order of the rounds, in a unit of its own; paired with those of
                             another cell of the same run and data set. Borrowed; NULL: not kept */
} SampledNumber;

/* Make a number from an interval over this many samples, and one that was computed instead of timed. */
SampledNumber sampled_number(const Interval *interval, int samples);
SampledNumber exact_number(double value);

enum { ROUNDS_END_BYTES = 32 };

/* Lower bounds of the time per vertex and frame, in ns; NAN: unknown. The limits that the run measured
 * (timing/limits.h) are applied to what the kernel computes and reads, and to the results it writes. */
typedef struct Roof {
    double cycles_per_ns;
    double arithmetic_ns;       /* each vertex's own influences, with one vertex per vector lane */
    double arithmetic_tiled_ns; /* all computed lanes, padding included */
    double loads_ns;            /* bound of the load ports */
    double lanes_ns, packed_ns; /* to write the results of the skin stage, or packed results as in a frame */
    char memory[8];             /* memory level that holds the results of all frames: "L2" */
} Roof;

/* The lower bound divided by the time. NAN if unknown, or above 1, which means that the limit was badly
 * measured. */
double roof_share(double roof_ns, double time_ns);

/* The largest of the lower bounds for the skin stage and for a frame. NAN: unknown. */
double roof_skin_ns(const Roof *roof);
double roof_frame_ns(const Roof *roof);

/* Times reported by a device, in seconds for all frames: medians over the rounds. NAN if unknown or not on
 * a device. */
typedef struct DeviceTiming {
    double kernel_s, cold_kernel_s; /* skin stage, by the device's events */
    double copy_s, cold_copy_s;     /* a copy within the device (DeviceSample) */
    double moved_bytes;             /* lower bound of the bytes moved by the kernel and these copies */
    double frame_kernel_s, upload_s,
        download_s; /* times of frames in file order: kernels, upload of palettes, download of results */
} DeviceTiming;

typedef struct Timing {
    bool timed;        /* if false, no other member is set */
    StageTime *stages; /* [stage_count] the timed stages (timing_stage), owned */
    int stage_count;
    Interval derived[DERIVED_COUNT];
    Roof roof;             /* only for skinning in floats on this processor */
    DeviceTiming device;   /* only for skinning on a device */
    double frame_straight; /* only for skinning on this processor: skinner_frame_straight */
    int rounds;            /* -1: timed alone, without rounds */
    int disturbed; /* largest number of disturbed samples in its stages or those of the LBS it is compared
                      with; -1: unknown */
    char end[ROUNDS_END_BYTES]; /* why the rounds ended (rounds_end_name) */
} Timing;

/* Whether other work on the machine spoiled these times: too many samples are disturbed, or the samples of
 * stages that users wait for scatter too much (disturbance.h). */
bool timing_is_disturbed(const Timing *timing);

/* A timing without times: every number is NAN. */
Timing timing_none(void);
void timing_clear(Timing *timing);

/* Returns a stage, or one of NANs if it was not timed. */
const StageTime *timing_stage(const Timing *timing, Stage stage);
/* Returns a stage to fill in and adds it if necessary. NULL if out of memory. */
StageTime *timing_stage_make(Timing *timing, Stage stage);

/* Copies the samples of a stage and computes its statistics; scratch [2 * count]. */
Status timing_set(Timing *timing, Stage stage, const double *samples, int count, int inner, double *scratch);

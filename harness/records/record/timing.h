/* The times of a cell: samples and statistics of every stage, and what is derived from them. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Of skinning, then of fits. */
typedef enum Stage {
    STAGE_BIND,
    STAGE_FIRST_FRAME, /* as STAGE_FRAME, of all frames, right after bind: nothing is warm yet */
    STAGE_POSE,
    STAGE_SKIN,
    STAGE_DELIVER, /* from bound order into file order */
    STAGE_FRAME,   /* what a user waits for: pose included, positions packed in file order */
    STAGE_TOTAL,   /* the harness's own clock; the five after it are the method's account */
    STAGE_REDUCTION,
    STAGE_CLUSTERING,
    STAGE_INITIALIZATION,
    STAGE_SWEEPS,
    STAGE_STEP, /* one sweep */
    STAGE_COUNT
} Stage;

/* As in a record: "bind", "first_frame", "pose", "skin", "deliver", "frame", "total", ... */
extern const char *const stage_names[STAGE_COUNT + 1]; /* NULL-terminated */
/* false: there is none of that name. */
bool stage_find(const char *name, Stage *out);

typedef struct StageTime {
    Stage stage;
    Statistics statistics; /* seconds; median NAN: the stage was not timed */
    int inner;             /* runs per sample */
    double *samples;       /* [sample_count] in the order of the rounds, owned */
    int sample_count;
} StageTime;

/* What is derived, with the 95 % interval of its median. */
typedef enum Derived {
    DERIVED_FRAME_NS_PER_VERTEX,  /* the headline: a frame in file order, pose included, per vertex */
    DERIVED_FRAME_RATIO_TO_LBS,   /* of samples of the same rounds; NAN where the other was not timed */
    DERIVED_FRAME_RATIO_TO_PLAIN, /* to a plain loop for LBS with as many threads (peers/plain_loop.h) */
    DERIVED_NS_PER_VERTEX,        /* of the skin stage, per vertex and frame */
    DERIVED_RATIO_TO_LBS,         /* of the skin stage, as the next */
    DERIVED_RATIO_TO_SCALAR,
    DERIVED_COUNT
} Derived;

/* "frame_ns_per_vertex", "frame_ratio_to_lbs", "ns_per_vertex", ... */
extern const char *const derived_names[DERIVED_COUNT];

typedef struct Interval {
    double median, low, high; /* NAN: none */
} Interval;

/* The median of samples and its interval, times a factor. */
Interval interval_of(const Statistics *statistics, double factor);

/* A number and how sure it is. */
typedef struct SampledNumber {
    double value;         /* NAN: none; of what is timed the median */
    double low, high;     /* 95 % interval: where nothing is timed the value; NAN: it needs more samples */
    int samples;          /* 0: not timed, the same in every run */
    bool disturbed;       /* other work on the machine spoiled them */
    const double *series; /* [samples] in the order of the rounds: those of two cells of one run and data set
                             pair; in a unit of its own; NULL: not kept. Borrowed. */
} SampledNumber;

/* What rests on this many samples; what is computed rather than timed. */
SampledNumber sampled_number(const Interval *interval, int samples);
SampledNumber exact_number(double value);

enum { ROUNDS_END_BYTES = 32 };

/* The least time that the machine could take, per vertex and frame: limits that the run measured
 * (timing/limits.h) compared with what the kernel's text computes and reads, and against its results. In ns;
 * NAN: unknown. */
typedef struct Roof {
    double cycles_per_ns;
    double arithmetic_ns;       /* of the vertex' own influences, every lane of every vector a vertex */
    double arithmetic_tiled_ns; /* of the lanes that are computed, padding included */
    double loads_ns;            /* of the load ports */
    double lanes_ns, packed_ns; /* to write the results of the skin stage; packed ones, as in a frame */
    char memory[8];             /* which level of the memory holds the results of all frames: "L2" */
} Roof;

/* The share of its limit that a time reaches. NAN: unknown, or above 1: then the limit was measured badly. */
double roof_share(double roof_ns, double time_ns);

/* The greatest of the limits of the skin stage, and of a frame: what cannot be undercut. NAN: unknown. */
double roof_skin_ns(const Roof *roof);
double roof_frame_ns(const Roof *roof);

/* What a device says of itself, in seconds of all frames: medians over the rounds. NAN: unknown, or on no
 * device. */
typedef struct DeviceTiming {
    double kernel_s, cold_kernel_s; /* of the skin stage, by the device's events */
    double copy_s, cold_copy_s;     /* of a copy within the device (DeviceSample) */
    double moved_bytes;             /* that the kernel and these copies move at least */
    double frame_kernel_s, upload_s,
        download_s; /* of a frame in file order: its kernels, palettes, results */
} DeviceTiming;

typedef struct Timing {
    bool timed;        /* else nothing below is set */
    StageTime *stages; /* [stage_count] those that were timed (timing_stage), owned */
    int stage_count;
    Interval derived[DERIVED_COUNT];
    Roof roof;             /* skinning in floats on this processor */
    DeviceTiming device;   /* skinning on a device */
    double frame_straight; /* skinning on this processor: skinner_frame_straight */
    int rounds;            /* -1: timed by itself, without rounds */
    int disturbed; /* of its samples, those that other work on the machine spoiled: of its stage, or of that
                      of the LBS it is compared with, where there were most; -1: unknown */
    char end[ROUNDS_END_BYTES]; /* why the rounds ended (rounds_end_name) */
} Timing;

/* Whether other work on the machine spoiled these times: too many of the samples are disturbed or, of the
 * stages that users wait for, scattered (disturbance.h). */
bool timing_is_disturbed(const Timing *timing);

/* Nothing is timed: every number is NAN. */
Timing timing_none(void);
void timing_clear(Timing *timing);

/* A stage; one of NANs where it was not timed. */
const StageTime *timing_stage(const Timing *timing, Stage stage);
/* The same to be filled in, made where there is none; NULL: out of memory. */
StageTime *timing_stage_make(Timing *timing, Stage stage);

/* Copies the samples of a stage and computes its statistics; scratch [2 * count]. */
Status timing_set(Timing *timing, Stage stage, const double *samples, int count, int inner, double *scratch);

/* The times of a cell: samples and statistics of each stage, and numbers derived from them. */
#pragma once

#include "harness/measure/timing/statistics.h"

/* Stages of skinning, followed by stages of fits. */
typedef enum Stage {
    STAGE_BIND,
    STAGE_FIRST_FRAME, /* time to make all frames once (as in STAGE_FRAME) directly after binding, when the
                          caches are still cold */
    STAGE_POSE,
    STAGE_SKIN,
    STAGE_DELIVER, /* conversion of positions from bound order to file order */
    STAGE_FRAME,   /* time that a user waits for a frame: pose, skin, and pack in file order
                    */
    STAGE_TOTAL,   /* time of the whole fit, measured by the harness; the method itself reports the next five
                      stages */
    STAGE_REDUCTION,
    STAGE_CLUSTERING,
    STAGE_INITIALIZATION,
    STAGE_SWEEPS,
    STAGE_STEP, /* one sweep */
    STAGE_COUNT
} Stage;

/* Names of the stages in records: "bind", "first_frame", "pose", "skin", "deliver", "frame", "total",
 * ... */
extern const char *const stage_names[STAGE_COUNT + 1]; /* NULL-terminated */
/* Finds the stage of that name. Returns false if there is none. */
bool stage_find(const char *name, Stage *out);

typedef struct StageTime {
    Stage stage;
    Statistics statistics; /* in seconds; the median is NAN if the stage was not timed */
    int inner;             /* number of runs in one sample */
    double *samples;       /* [sample_count] in the order of the rounds, owned */
    int sample_count;
} StageTime;

/* Derived numbers, with the 95 % interval of their median. */
typedef enum Derived {
    DERIVED_FRAME_NS_PER_VERTEX,  /* main result: time per vertex of a frame in file order, pose included */
    DERIVED_FRAME_RATIO_TO_LBS,   /* ratio of the frame time to that of lbs in the same rounds; NAN if lbs was
                                     not timed */
    DERIVED_FRAME_RATIO_TO_PLAIN, /* ratio of the frame time to a plain LBS loop with the same number of
                                     threads (peers/plain_loop.h) */
    DERIVED_NS_PER_VERTEX,        /* time of the skin stage per vertex and frame */
    DERIVED_RATIO_TO_LBS, /* ratio of the time of the skin stage to that of lbs; DERIVED_RATIO_TO_SCALAR is
                             the ratio to scalar code */
    DERIVED_RATIO_TO_SCALAR,
    DERIVED_COUNT
} Derived;

/* Names of the derived numbers: "frame_ns_per_vertex", "frame_ratio_to_lbs", "ns_per_vertex", ... */
extern const char *const derived_names[DERIVED_COUNT];

typedef struct Interval {
    double median, low, high; /* NAN: none */
} Interval;

/* Returns the median of samples and its interval, multiplied by a factor. */
Interval interval_of(const Statistics *statistics, double factor);

/* A number and its uncertainty. */
typedef struct SampledNumber {
    double value;         /* the number, or its median if it is timed; NAN: none */
    double low, high;     /* 95 % interval; equal to the value if it is not timed; NAN with too few samples */
    int samples;          /* number of samples; 0 if the number is not timed and thus equal in every run */
    bool disturbed;       /* whether other work on the machine spoiled the samples */
    const double *series; /* [samples] the samples in the order of the rounds, in any unit; borrowed;
                             NULL if not stored. Sample i can be paired with sample i of other cells of the
                             same run and data set. */
} SampledNumber;

/* The first function returns a number with an interval from this many samples. The second returns a number
 * that was computed instead of timed. */
SampledNumber sampled_number(const Interval *interval, int samples);
SampledNumber exact_number(double value);

/* Returns the ratio of two numbers whose samples are not paired. Each end of its interval is an end of one
 * interval divided by the opposite end of the other. Timed numbers must be positive. */
SampledNumber sampled_ratio(const SampledNumber *number, const SampledNumber *by);

enum { ROUNDS_END_BYTES = 32 };

/* Lower bounds of the time per vertex and frame, in ns; NAN: unknown. They follow from the limits that the
 * run measured (timing/limits.h) and from the operations, loads and results of the kernel. */
typedef struct Roof {
    double cycles_per_ns;
    double arithmetic_ns; /* lower bound by the arithmetic for the influences of each vertex, with one vertex
                             per vector lane */
    double arithmetic_tiled_ns; /* lower bound by the arithmetic in all lanes, including lanes that are only
                                   padding */
    double loads_ns;            /* lower bound by the number of loads that the processor can issue */
    double lanes_ns, packed_ns; /* lower bounds of the time to write the results: positions from the skin
                                   stage, or packed positions of a frame */
    char memory[8]; /* fastest memory level in which the results of all frames fit, such as "L2" */
    char
        beaten[20]; /* name of a limit that the median of a stage beats, such as "arithmetic": a defect of the
                        limit, which is then not drawn; empty: none */
} Roof;

/* Returns the lower bound divided by the time. NAN if unknown, or if the ratio exceeds 1, which means that
 * the limit was badly measured. */
double roof_share(double roof_ns, double time_ns);

/* Return the largest of the lower bounds for the skin stage and for a frame; NAN if unknown. */
double roof_skin_ns(const Roof *roof);
double roof_frame_ns(const Roof *roof);

/* Sets `beaten` if a stage takes less time than one of its limits. */
void roof_judge(Roof *roof, double skin_ns, double frame_ns);

/* Times reported by a device, in seconds for all frames: medians over the rounds. NAN if unknown or if the
 * cell does not run on a device. */
typedef struct DeviceTiming {
    double kernel_s, cold_kernel_s; /* time of the skin stage, measured by the device's events */
    double copy_s, cold_copy_s;     /* time of a copy within the device (DeviceSample) */
    double moved_bytes; /* lower bound of the number of bytes that the kernel and these copies move */
    double frame_kernel_s, upload_s,
        download_s; /* time to deliver frames in file order: upload palettes, run kernels, download results */
} DeviceTiming;

typedef struct Timing {
    bool timed;        /* if false, no other member is set */
    StageTime *stages; /* [stage_count] stages that were timed (timing_stage), owned */
    int stage_count;
    Interval derived[DERIVED_COUNT];
    Roof roof;             /* lower bounds of the time; only for skinning in floats on this processor */
    DeviceTiming device;   /* times reported by the device; only for skinning on a device */
    double frame_straight; /* fraction of the vertices that are written in runs of consecutive vertices
                              (skinner_frame_straight); only for skinning on this processor */
    int rounds;            /* number of rounds; -1 if the cell was timed alone, without rounds */
    int disturbed; /* Number of disturbed samples in the stage that has the most of them. Stages of the LBS
                      cell with which this cell is compared count, too. -1: unknown */
    char end[ROUNDS_END_BYTES]; /* why the rounds ended (rounds_end_name) */
} Timing;

/* Whether other work on the machine spoiled these times: too many samples are disturbed, or the samples of
 * stages that users wait for scatter too much (disturbance.h). */
bool timing_is_disturbed(const Timing *timing);

/* A timing without times: every number is NAN. */
Timing timing_none(void);
void timing_clear(Timing *timing);

/* Returns the times of a stage; NANs if the stage was not timed. */
const StageTime *timing_stage(const Timing *timing, Stage stage);
/* Returns the times of a stage for writing, and adds the stage if necessary. NULL if out of memory. */
StageTime *timing_stage_make(Timing *timing, Stage stage);

/* Copies the samples of a stage and computes its statistics; scratch [2 * count]. */
Status timing_set(Timing *timing, Stage stage, const double *samples, int count, int inner, double *scratch);

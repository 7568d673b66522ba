/* One skinning cell: bound, verified against the reference, and ready for the timing of each stage. */
#pragma once

#include "harness/measure/timing/rounds.h"
#include "harness/records/record/plans.h"
#include "harness/records/record/record.h"
#include "harness/records/record/subject.h"

/* The stages that are timed in rounds, from STAGE_POSE on. */
enum { TIMED_STAGES = STAGE_FRAME - STAGE_POSE + 1 };

/* Returns the stage of a task, given its index among the tasks of one or several cells. */
static inline Stage timed_stage(int task)
{
    return (Stage)((int)STAGE_POSE + task % TIMED_STAGES);
}

/* Values that a device measures itself after visits of the skin stage and of the frame stage: the members
 * of DeviceTiming except moved_bytes. */
typedef enum DeviceValue {
    DEVICE_KERNEL,
    DEVICE_COLD_KERNEL,
    DEVICE_COPY,
    DEVICE_COLD_COPY,
    DEVICE_FRAME_KERNEL,
    DEVICE_UPLOAD,
    DEVICE_DOWNLOAD,
    DEVICE_VALUES
} DeviceValue;

/* The frames in which the cells of a group are posed: frames of the rig, evenly spread. */
typedef struct Posing {
    int frame_count;
    int distinct_count; /* number of different frames; the frames after them repeat them in order */
    size_t joint_count;
    int *frames;           /* [frame_count] frame numbers in the rig */
    Transform *transforms; /* [frame_count][P] */
    Mat3 *scale;           /* [frame_count][P] or NULL */
    /* [frame_count][N][3] results, shared by all cells of the group; NULL if not allocated yet. The normals
     * are NULL if no cell skins them. */
    float *positions, *normals;
} Posing;

/* Poses at most frames_cap frames of the rig. Release with posing_clear, also on failure. */
Status posing_init(const Dataset *dataset, int frames_cap, Posing *out);
/* Repeats the frames of another posing in order until there are frame_count frames. */
Status posing_repeat(const Posing *of, int frame_count, Posing *out);
/* Allocates the arrays for results. Call it before preparing a cell or making its tasks. */
Status posing_results_make(Posing *posing, int vertex_count, bool normals);
void posing_clear(Posing *posing);

typedef struct SkinningCell {
    SkinningPlan plan;
    const Subject *subject;
    const Posing *posing;
    Record record;                  /* record of the request, to which the results are added */
    char digest[CELL_DIGEST_BYTES]; /* digest of the cell's key */
    bool already_done;              /* the result file already has the cell */
    bool baseline; /* the cell was not requested; its times are only divisors of other cells' ratios */
    bool live;     /* the cell is bound and correct, so it is timed */
    bool skinned;  /* the skin is up to date with the pose */
    Skinner *skinner;
    double bind_s, first_frame_s;
    double *device[DEVICE_VALUES]; /* values that the device measured in the rounds of this process; NULL on a
                                      host backend */
    int device_counts[DEVICE_VALUES];
    double device_moved_bytes;
    TimedTask tasks[TIMED_STAGES];
} SkinningCell;

/* Sets up the cell and names it; its record describes the request. */
Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing);

/* Binds, poses, skins and measures the cell. If it cannot run, its record is "skipped" or "failed" and
 * `live` stays false. `reference` is the same method on the reference backend; a cell that is not finite,
 * or differs from it by more than the method's tolerance, is "wrong". `counters` [counter_count] are copied
 * into the record. */
Status skinning_cell_prepare(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                             int counter_count);

/* Fills in a method's counters over the posed frames, and sets *count to their number. The number is 0 if
 * the method has no counters. It is also 0 for poses with scale, whose second phase is known only while
 * posing. */
Status skinning_counters(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                         RecordCounter counters[SKINNING_COUNTERS_MAX], int *count);

/* Allocates the samples and makes the tasks. */
Status skinning_cell_make_tasks(SkinningCell *cell, int rounds_cap);

/* Call it after a visit of a stage. It stores the times that the device reports and, at most once per round
 * and stage, compares its kernel with copies (DeviceSample). Does nothing on a host backend. */
Status skinning_cell_ask_device(SkinningCell *cell, Stage stage);
/* Returns the medians of the device's values; NAN if there are none. scratch [2 * rounds_cap]. */
DeviceTiming skinning_cell_device(const SkinningCell *cell, double *scratch);

void skinning_cell_clear(SkinningCell *cell);

/* Binds `plan`, poses it, and skins into bound order. Used for references. */
Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing,
                        Skinner **out);

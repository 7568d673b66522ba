/* One skinning cell: bound, verified against the reference, and ready for the timing of each stage. */
#pragma once

#include "harness/measure/timing/rounds.h"
#include "harness/records/record/plans.h"
#include "harness/records/record/record.h"
#include "harness/records/record/subject.h"

/* The stages that are timed in rounds, beginning with STAGE_POSE. */
enum { TIMED_STAGES = STAGE_FRAME - STAGE_POSE + 1 };

/* Returns the stage that a task times. Tasks are numbered cell by cell, and each cell has one task per
 * stage. */
static inline Stage timed_stage(int task)
{
    return (Stage)((int)STAGE_POSE + task % TIMED_STAGES);
}

/* Values that the device itself measures after the skin stage and after the frame stage. They are all
 * members of DeviceTiming except moved_bytes. */
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

/* The poses of all cells of a group, taken from frames spread evenly over the rig's animation. */
typedef struct Posing {
    int frame_count;
    int distinct_count; /* number of distinct frames, which are stored first; further frames repeat them in
                           order */
    size_t joint_count;
    int *frames;           /* [frame_count] number of each frame in the rig */
    Transform *transforms; /* [frame_count][P] */
    Mat3 *scale;           /* [frame_count][P] or NULL */
    /* [frame_count][N][3] results, shared by all cells of the group; NULL if not allocated yet. The normals
     * are NULL if no cell skins them. */
    float *positions, *normals;
} Posing;

/* Poses at most frames_cap frames of the rig, and repeats them in order until there are at least frame_count.
 * Release with posing_clear, also on failure. */
Status posing_init(const Dataset *dataset, int frames_cap, int frame_count, Posing *out);
/* Allocates the arrays for results. Call it before preparing a cell or making its tasks. */
Status posing_results_make(Posing *posing, int vertex_count, bool normals);
void posing_clear(Posing *posing);

typedef struct SkinningCell {
    SkinningPlan plan;
    const Subject *subject;
    const Posing *posing;
    Record record;                  /* starts as the record of the request; the results are added to it */
    char digest[CELL_DIGEST_BYTES]; /* digest of the cell's key */
    bool already_done;              /* the result file already has the cell */
    bool baseline; /* a cell that was not requested; other cells' times are divided by its times */
    bool live;     /* the cell is bound and correct, so it is timed */
    bool skinned;  /* the skin is up to date with the pose */
    Skinner *skinner;
    double bind_s, first_frame_s;
    double *device[DEVICE_VALUES]; /* Values that the device measured in the rounds of this process; values of
                                      an earlier run are not included. NULL on a host backend. */
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
 * into the record. `cache` is as for skinner_run_once; the record's time to bind includes what it saved. */
void skinning_cell_prepare(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                           int counter_count, SkinnerCache *cache);

/* Computes a method's counters over the posed frames, and sets *count to the number of counters. It is 0 if
 * the method has no counters. It is also 0 for poses with scale, because their second phase is known only
 * while posing. */
Status skinning_counters(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                         RecordCounter counters[SKINNING_COUNTERS_MAX], int *count);

/* Allocates the samples and makes the tasks. */
Status skinning_cell_make_tasks(SkinningCell *cell, int rounds_cap);

/* Call it after each visit of a stage. It stores the times that the device reports. At most once per round
 * and stage, it also compares the device's kernel with copies within the device (DeviceSample). It does
 * nothing on a host backend. */
Status skinning_cell_ask_device(SkinningCell *cell, Stage stage);
/* Returns the medians of the values that the device measured; NAN if there are none. scratch [2 *
 * rounds_cap]. */
DeviceTiming skinning_cell_device(const SkinningCell *cell, double *scratch);

void skinning_cell_clear(SkinningCell *cell);

/* Makes a skinner for `plan`, poses it, and skins into bound order. It serves as the reference for a cell.
 * `cache` keeps what the method prepares for further skinners of the same method on the rig; it may be
 * NULL. */
Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing,
                        SkinnerCache *cache, Skinner **out);

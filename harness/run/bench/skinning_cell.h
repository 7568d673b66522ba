/* One skinning cell: bound, verified against the reference, ready to be timed stage by stage. */
#pragma once

#include "harness/measure/timing/rounds.h"
#include "harness/records/record/plans.h"
#include "harness/records/record/record.h"
#include "harness/records/record/subject.h"

/* The stages that are timed in rounds, from STAGE_POSE on. */
enum { TIMED_STAGES = STAGE_FRAME - STAGE_POSE + 1 };

/* The stage of a task, by its number among those of one cell or of several, cell by cell. */
static inline Stage timed_stage(int task)
{
    return (Stage)((int)STAGE_POSE + task % TIMED_STAGES);
}

/* What a device says of itself after a visit of the skin stage, then after one of a frame; DeviceTiming's
 * members but for moved_bytes. */
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

/* The frames a group is posed in: real frames of the rig, spread evenly over it. */
typedef struct Posing {
    int frame_count;
    int distinct_count; /* the frames from there on repeat those before, in their order */
    size_t joint_count;
    int *frames;           /* [frame_count] of the rig */
    Transform *transforms; /* [frame_count][P] */
    Mat3 *scale;           /* [frame_count][P] or NULL */
    /* [frame_count][N][3] Where all cells of the group store their frames in turn; NULL: not yet allocated,
     * and of normals also: no cell skins them. */
    float *positions, *normals;
} Posing;

/* Release with posing_clear, on failure too. */
Status posing_init(const Dataset *dataset, int frames_cap, Posing *out);
/* The frames of another, again and again, until there are frame_count. */
Status posing_repeat(const Posing *of, int frame_count, Posing *out);
/* Allocates what frames are brought into: before a cell is prepared or its tasks are made. */
Status posing_results_make(Posing *posing, int vertex_count, bool normals);
void posing_clear(Posing *posing);

typedef struct SkinningCell {
    SkinningPlan plan;
    const Subject *subject;
    const Posing *posing;
    Record record;                  /* what was asked for; filled in as answers come */
    char digest[CELL_DIGEST_BYTES]; /* of its key */
    bool already_done;              /* in the file already */
    bool baseline;                  /* only there for the ratios of others */
    bool live;                      /* bound and right: to be timed */
    bool skinned;                   /* whether the skin belongs to the pose */
    Skinner *skinner;
    double bind_s, first_frame_s;
    double *device[DEVICE_VALUES]; /* of the rounds that this process made; NULL on a host backend */
    int device_counts[DEVICE_VALUES];
    double device_moved_bytes;
    TimedTask tasks[TIMED_STAGES];
} SkinningCell;

/* Names the cell; its record says what is asked for. */
Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing);

/* Binds, poses, skins and measures. What cannot run gives a record that is "skipped" or "failed", and `live`
 * stays false. `reference` is skinned by the same method; a cell further from it than the method's tolerance,
 * or not finite, is "wrong". `counters` [counter_count] are copied into the record. */
Status skinning_cell_prepare(SkinningCell *cell, Skinner *reference, const RecordCounter *counters,
                             int counter_count);

/* What a method counts (its `counters`), over the posed frames; returns their number: 0 for a method that
 * counts nothing, and for poses with scale, whose second phase only a whole pose knows. */
Status skinning_counters(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                         RecordCounter counters[SKINNING_COUNTERS_MAX], int *count);

/* Allocates the samples, and makes the tasks. */
Status skinning_cell_make_tasks(SkinningCell *cell, int rounds_cap);

/* After a visit of a stage: keeps the times of the device, and compares its kernel with copies
 * (DeviceSample). At most once a round and stage; nothing on a host backend. */
Status skinning_cell_ask_device(SkinningCell *cell, Stage stage);
/* The medians; scratch [2 * rounds_cap]. NAN where there is nothing. */
DeviceTiming skinning_cell_device(const SkinningCell *cell, double *scratch);

void skinning_cell_clear(SkinningCell *cell);

/* Binds `plan`, poses it, and skins into bound order; for references. */
Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing,
                        Skinner **out);

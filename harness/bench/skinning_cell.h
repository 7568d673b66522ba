/* One skinning cell: bound, verified against the reference, ready to be timed stage by stage. */
#ifndef SKINBENCH_BENCH_SKINNING_CELL_H
#define SKINBENCH_BENCH_SKINNING_CELL_H

#include "harness/bench/bench.h"
#include "harness/timing/rounds.h"

enum { WORK_POSE, WORK_SKIN, WORK_DELIVER, WORK_WHOLE, WORK_COUNT };

/* "pose", "skin", "deliver", "end_to_end". */
const char *work_name(int work);

/* The frames a group is posed in: real frames of the rig, spread evenly over it. */
typedef struct Posing {
    int frame_count;
    size_t joint_count;
    int *frames;           /* [frame_count] of the rig */
    Transform *transforms; /* [frame_count][P] */
    Mat3 *scale;           /* [frame_count][P] or NULL */
} Posing;

Status posing_make(const Dataset *dataset, int frames_cap, Posing *out);
void posing_clear(Posing *posing);

typedef struct SkinningCell {
    SkinningPlan plan;
    const Subject *subject;
    const Posing *posing;
    json_t *record; /* what was asked for; filled in as answers come */
    char *key, key_hash[17];
    bool settled;   /* in the file already */
    bool companion; /* only there for the ratios of others */
    bool live;      /* bound and right: to be timed */
    bool skinned;   /* whether the skin belongs to the pose */
    Skinner *skinner;
    double bind_s, difference; /* seconds; greatest vertex distance from the reference over the diagonal */
    double device_sum_s, device_least_s;
    int device_runs;
    float *positions, *normals; /* [N][3] where `deliver` delivers */
    TimedWork works[WORK_COUNT];
} SkinningCell;

/* Names the cell; its record says what is asked for. */
Status skinning_cell_plan(SkinningCell *cell, const SkinningPlan *plan, const Subject *subject,
                          const Posing *posing);

/* Binds, poses and skins. What cannot run gives a record with status "skipped" (the backend is not here, the
 * method does not take this rig) or "failed", and live stays false. `reference` is the posed and skinned
 * reference of the same method and parameters; a cell that differs from it by more than the method's
 * tolerance is "wrong". Positions are measured against the data set's own, where it has some. `counts` go
 * into the record; NULL: none. */
Status skinning_cell_prepare(SkinningCell *cell, Skinner *reference, json_t *counts);

/* What a method counts (its `counters`), over the posed frames: a new {name: {mean, max}}; NULL for a method
 * that counts nothing, and for poses with scale, whose second phase only a whole pose knows. */
Status skinning_counts(const Skinner *skinner, const SkinningMethod *method, const Posing *posing,
                       json_t **counts);

/* Room for the samples, and the works. */
Status skinning_cell_works(SkinningCell *cell, int rounds_cap);

void skinning_cell_clear(SkinningCell *cell);

/* Binds `plan` and runs it once; for cells and for their references. */
Status skinner_run_once(const SkinningPlan *plan, const Subject *subject, const Posing *posing, Skinner **out,
                        double *bind_s);

#endif

/* Chooses the data sets and records that the 3D view shows. */
#pragma once

#include "harness/records/files/record_store.h"

enum { SCENE_METHODS_MAX = 5 };

/* A data set of a scene, with the chosen record of each method. */
typedef struct ScenePlan {
    const Record *first;                     /* first record that has the data set and the kind of cell */
    const Record *chosen[SCENE_METHODS_MAX]; /* [chosen_count] chosen records, well-known methods first */
    int chosen_count;
    int bones; /* number of bones of all fits; 0 for direct methods */
} ScenePlan;

/* Makes one plan for each data set on which at least two methods of a kind were run. The plan with the most
 * methods comes first. All fits have the number of bones that most methods used. Each method is shown by
 * the record with the fewest special parameters; records that take longer than shape_time_s are chosen only
 * if there are no others. Release *plans with memory_free, also after a failure. */
Status scene_plans_make(const RecordStore *store, CellKind kind, double shape_time_s, ScenePlan **plans,
                        int *count);

/* Returns the time in seconds that repeating a record is known to take, or 0. */
double scene_record_time_s(const Record *record);

/* Returns the preset of a record's method, or "" if it has no such parameter. */
const char *scene_record_preset(const Record *record);

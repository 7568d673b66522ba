/* Chooses the data sets and records that the 3D view shows. */
#pragma once

#include "harness/records/files/record_store.h"

enum { SCENE_METHODS_MAX = 5 };

/* One data set, and a record of each method. */
typedef struct ScenePlan {
    const Record *first;                     /* first record of the data set and kind */
    const Record *chosen[SCENE_METHODS_MAX]; /* [chosen_count] well-known methods first */
    int chosen_count;
    int bones; /* common number of bones of the fits; 0 for direct methods */
} ScenePlan;

/* Makes one plan for each data set on which two methods of a kind were run, most methods first. Fits have
 * the number of bones that most methods used. For each method, prefers records that take at most
 * shape_time_s, then the one with fewest special parameters. Release *plans with memory_free, also after a
 * failure. */
Status scene_plans_make(const RecordStore *store, CellKind kind, double shape_time_s, ScenePlan **plans,
                        int *count);

/* Returns the known time in seconds of a record's work. */
double scene_record_time_s(const Record *record);

/* Returns the preset of a record's method, or "" if it has no such parameter. */
const char *scene_record_preset(const Record *record);

/* What the 3D view shows: of which data sets, and of which records. */
#pragma once

#include "harness/records/files/record_store.h"

enum { SCENE_METHODS_MAX = 5 };

/* One data set, and a record of each method. */
typedef struct ScenePlan {
    const Record *first;                     /* of the data set and kind */
    const Record *chosen[SCENE_METHODS_MAX]; /* [chosen_count], well-known methods first */
    int chosen_count;
    int bones; /* of fits: all have the same; 0: of direct methods */
} ScenePlan;

/* One plan for each data set of a kind that two methods were run on, those with most methods first; of fits
 * with the number of bones that most methods had. Of a method's records the plainest is chosen, and before it
 * one that takes no longer than shape_time_s. *plans is for memory_free, on failure too. */
Status scene_plans_make(const RecordStore *store, CellKind kind, double shape_time_s, ScenePlan **plans,
                        int *count);

/* Seconds that a record's work is known to take, once. */
double scene_record_time_s(const Record *record);

/* The word that a record's method had for its preset; "": it has no such parameter. */
const char *scene_record_preset(const Record *record);

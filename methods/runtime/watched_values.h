/* Values that a method's stage fills, rows of `per_row` (one per joint, joint set or vertex). Where they
 * are watched, in Debug builds and where SkinnerOptions asks for it, a stage that writes past them or
 * leaves some unset is refused by name, in place of a damaged heap and wrong numbers: the rows are
 * followed by as many guard words, and all hold a mark that no stage writes. */
#pragma once

#include "datasets/base/base.h"

typedef struct WatchedValues {
    double *values;       /* [rows][per_row] */
    size_t rows, per_row; /* fewer rows than there is memory for may be watched */
    bool check_outputs;
} WatchedValues;

/* Whether there was memory for them. Release `values` with memory_free, either way. */
bool watched_values_init(WatchedValues *out, size_t rows, int per_row, bool check_outputs);

/* Before a stage: all values are marked, where they are watched; else they are zero at first. */
void watched_values_begin(WatchedValues *watched);

/* After it, where they are watched: STATUS_USAGE, in `method`'s name, for values past the last row or values
 * that were not set. `row` is what there is one of per row, "joint", "joint set" or "vertex"; `member` is the
 * member of SkinningMethod that says how many values it has. */
Status watched_values_end(const WatchedValues *watched, const char *method, const char *row,
                          const char *member);

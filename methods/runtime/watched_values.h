/* Values that a method's stage fills, in rows of `per_row` (one row per joint, joint set or vertex). In
 * Debug builds, or if SkinnerOptions asks for it, they are watched: guard words follow the rows, and every
 * word is set to a mark that no stage writes. If a stage writes beyond the rows or leaves values unset,
 * this is reported with the method's name instead of damaging the heap. */
#pragma once

#include "datasets/base/base.h"

typedef struct WatchedValues {
    double *values;       /* [rows][per_row] */
    size_t rows, per_row; /* number of watched rows, which may be less than the number allocated, and number
                             of values per row */
    bool check_outputs;
} WatchedValues;

/* Allocates the values. STATUS_SYSTEM with the name `what` if out of memory. Release `values` with
 * memory_free in either case. */
Status watched_values_init(WatchedValues *out, size_t rows, int per_row, bool check_outputs,
                           const char *what);

/* Prepares for a stage: marks all values if they are watched; otherwise they start as zero. */
void watched_values_begin(WatchedValues *watched);

/* Checks watched values after a stage. Returns STATUS_USAGE with the name of `method` if values beyond the
 * last row were written or some were not set. `row` says what a row represents ("joint", "joint set",
 * "vertex"), and `member` is the member of SkinningMethod that gives the number of values. */
Status watched_values_end(const WatchedValues *watched, const char *method, const char *row,
                          const char *member);

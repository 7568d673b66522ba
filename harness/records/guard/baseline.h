/* The baseline: an accepted run that later ones are held against (compare.h). A result file of one machine, without times
 * and curves, whose environment says why it was accepted and of how many cells, and whose records state how far their
 * numbers may move in other environments. */
#pragma once

#include "harness/records/files/record_store.h"

/* Of what was measured to differ in other environments, as they are only a sample of all. */
#define BASELINE_BOUND_FACTOR 4.0

typedef struct BaselineSources {
    const RecordStore *run; /* what is accepted; path names it */
    const char *path;
    const RecordStore *before;        /* the baseline that is replaced; NULL: there is none */
    const RecordStore *const *others; /* [other_count] runs of the same program in other environments */
    int other_count;
    const char *reason;
} BaselineSources;

/* Writes `output`, whole or not at all. The bounds of a number are FACTOR times what it differs by at most from itself in the
 * other runs, and in the cells that differ only in a backend of single precision or its instruction-set level; where
 * there are no other runs, those of the baseline before stay. STATUS_CHECK_FAILED where cells are wrong or failed,
 * STATUS_BAD_INPUT where the run holds no cells or several machines. */
Status baseline_write(const BaselineSources *sources, const char *output);

/* Result files of several machines or shards as one: every line of every file once, in the order of
 * result_lines.h, so that what is read back counts as the files together do (record_store.h). Merging again
 * changes nothing, and neither does the order in which files are merged, but among lines of the same
 * second. */
#pragma once

#include "datasets/base/base.h"

typedef struct MergeCounts {
    int environments, cells; /* lines of the merged file: runs and records */
    int repeats;             /* lines left out, as they are there already */
} MergeCounts;

/* Writes `output`, whole or not at all: it may be one of the files, and replaces what is there. A line is a
 * repeat of another with the same members and values. A torn last line is left out, and reported in torn
 * [count]. STATUS_BAD_INPUT as record_store_read but for torn lines, STATUS_SYSTEM where another run has the
 * output open. */
Status results_merge(const char *const *paths, int count, const char *output, bool *torn, MergeCounts *out);

/* Merges result files of several machines or shards. Every line is written once, in the order of
 * result_lines.h. The merged file therefore reads like all files together (record_store.h), and merging
 * again changes nothing. The order in which the files are named matters only for lines written within the
 * same second. */
#pragma once

#include "datasets/base/base.h"

typedef struct MergeCounts {
    int environments, cells; /* number of runs and of cell records in the merged file */
    int repeats;             /* lines left out because they repeat another line */
} MergeCounts;

/* Merges files [count] into `output`, which is written completely or not at all. `output` may be one of the
 * inputs and replaces an existing file. Lines with equal members and values count as repeats. Torn last
 * lines are left out and reported in torn [count].
 *
 * STATUS_BAD_INPUT as for record_store_read, except for torn lines; STATUS_SYSTEM if another run has
 * `output` open. */
Status results_merge(const char *const *paths, int count, const char *output, bool *torn, MergeCounts *out);

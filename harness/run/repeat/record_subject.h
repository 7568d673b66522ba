/* The data sets of records, found again: by their digest, in folders, or generated again. */
#pragma once

#include "harness/run/suites/table_run.h"

/* Loads the data set of that digest: of a record's table row, from its generator's name and settings, or from
 * a file of the two folders. *found: whether there is one; then release it with subject_clear. `progress` is
 * asked whether to stop. */
Status record_subject_find(const RecordStore *store, const char *sha256, const TableSources *sources,
                           const Progress *progress, Subject *out, bool *found);

/* The shapes that a record was measured of, made again. */
#pragma once

#include "harness/run/suites/table_run.h"

/* Loads the data set of that digest: of a record's table row, from its generator's name and settings, or from
 * a file of the two folders. *found: whether there is one; then release it with subject_clear. `progress` is
 * asked whether to stop. */
Status record_subject_find(const RecordStore *store, const char *sha256, const TableSources *sources,
                           const Progress *progress, Subject *out, bool *found);

/* Fills positions [count][N][3] with frames 0, step, 2 step, ... of what the record's method and parameters
 * make of its data set. A cell of skinning runs on the backend that `skin` takes by default, *e_rms is NAN;
 * one of decomposition is fitted, with the bones that its search found, *e_rms is of all frames. */
Status record_repeat(const Record *record, const Subject *subject, int threads, int step, int count,
                     const Progress *progress, float *positions, double *e_rms);

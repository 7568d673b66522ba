/* Recomputes the shapes that a record measured. */
#pragma once

#include "harness/run/suites/table_run.h"

/* Loads the data set that has the given digest. It may be the data of a table row, a generated data set, or
 * a file in one of the two folders of `sources`; the records name it. If *found, release the data set with
 * subject_clear. `progress` can stop the search. */
Status record_subject_find(const RecordStore *store, const char *sha256, const TableSources *sources,
                           const Progress *progress, Subject *out, bool *found);

/* Recomputes frames 0, step, 2 step, ... as positions [count][N][3], with the method and parameters of the
 * record. A skinning cell runs on the default backend of `skin`; its *e_rms is NAN. A decomposition is
 * fitted with the number of bones that its search found; its *e_rms covers all frames. */
Status record_repeat(const Record *record, const Subject *subject, int threads, int step, int count,
                     const Progress *progress, float *positions, double *e_rms);

/* The noise of a run. Cells are timed in groups with common rounds, and in every group one cell is timed
 * twice. In each round the ratio of its two times should be 1. How far the ratios are from 1, and how much
 * they scatter, shows by how much any ratio of the run may be wrong. */
#pragma once

#include "harness/records/files/record_store.h"

enum { NOISE_TEXT_BYTES = 320 };

/* Makes the noise record of a group from the two series of times of one cell. Its measure "ratio" has the
 * samples first[i] / second[i]. scratch [3 * count]. */
Status noise_record_make(const Cell *cell, const double *first, const double *second, int count,
                         double *scratch, Record *out);

/* Whether both records exist and have the same samples. `a` may be NULL. */
bool noise_records_equal(const Record *a, const Record *b);

/* Writes "Noise of this run: the ratio of a cell to itself is 0.998 [0.990, 1.010] ...", pooled over all
 * groups of a view; "" if the view has no noise records. */
Status noise_format(const RecordView *records, char text[NOISE_TEXT_BYTES]);

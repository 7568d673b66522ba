/* The noise of a run. In every group of cells that are timed in common rounds, one cell is timed twice. The
 * ratio of its two times in each round should be 1. How far these ratios are from 1 and how much they
 * scatter shows how wrong any ratio of the run may be. */
#pragma once

#include "harness/records/files/record_store.h"

enum { NOISE_TEXT_BYTES = 320 };

/* Makes the noise record of a group. It stores the cell that was timed twice and the measure "ratio" with
 * the samples first[i] / second[i]. scratch [3 * count]. */
Status noise_record_make(const Cell *cell, const double *first, const double *second, int count,
                         double *scratch, Record *out);

/* Whether both records exist and have equal samples. `a` may be NULL. */
bool noise_records_equal(const Record *a, const Record *b);

/* Writes "Noise of this run: the ratio of a cell to itself is 0.998 [0.990, 1.010] ...", pooled over all
 * groups of a view; "" if the view has no noise records. */
Status noise_format(const RecordView *records, char text[NOISE_TEXT_BYTES]);

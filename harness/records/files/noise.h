/* A run's own noise. Every group of cells timed in common rounds contains one cell twice. The
 * round-by-round ratio of the two should be 1; its distance from 1 and its scatter show how far any ratio
 * of the run may be off. */
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

/* A run's own noise: in every group of cells that is timed in common rounds one stands twice, and the ratio
 * of the two, round by round, is of equals: how far it is from 1, and how far it scatters, is what any ratio
 * of the run may be off by. */
#pragma once

#include "harness/records/files/record_store.h"

enum { NOISE_TEXT_BYTES = 320 };

/* The record of a group's noise: its cell, and the measure "ratio" with its samples, first[i] / second[i].
 * scratch [3 * count]. */
Status noise_record_make(const Cell *cell, const double *first, const double *second, int count,
                         double *scratch, Record *out);

/* Whether both are there and have the same samples; a may be NULL. */
bool noise_records_equal(const Record *a, const Record *b);

/* "Noise of this run: the ratio of a cell to itself is 0.998 [0.990, 1.010]; ..." over all the groups of a
 * view; "" where it has none. */
Status noise_format(const RecordView *records, char text[NOISE_TEXT_BYTES]);

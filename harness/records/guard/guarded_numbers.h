/* The numbers of a record that are guarded: metrics, distances to the reference, counts, sizes, what studies
 * measured; no times. */
#pragma once

#include "harness/records/record/record.h"

enum { GUARDED_NAME_BYTES = 96 };

typedef struct GuardedNumber {
    char name[GUARDED_NAME_BYTES]; /* "e_rms", "holdout.e_rms", "counts.svds.max", "measures.gain" */
    double value;                  /* NAN: could not be measured */
    MetricBetter better;
} GuardedNumber;

typedef struct GuardedNumbers {
    GuardedNumber *items; /* [count], owned */
    int count;
} GuardedNumbers;

/* Of a record that is ok, in a fixed order. A curve of a study is guarded by its root mean square,
 * "measures.NAME.rms". Release with guarded_numbers_clear, on failure too. */
Status guarded_numbers_of(const Record *record, GuardedNumbers *out);
void guarded_numbers_clear(GuardedNumbers *quantities);

/* NULL: there is none of that name. */
const GuardedNumber *guarded_number_find(const GuardedNumbers *quantities, const char *name);

/* Whether a record is of a kind whose numbers are guarded: skinning, decompositions and studies. */
bool record_is_guarded(const Record *record);

/* The guarded numbers of a record: metrics, distances to the reference, counts, sizes and the measures of
 * studies, but no times.
 *
 * For fits of one task with several seeds, the spread over seeds is guarded. A rewritten loop that rounds
 * differently changes every fit, but the median stays within the spread. A worse search moves the median
 * out of it. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

enum { GUARDED_NAME_BYTES = 96 };

typedef struct GuardedNumber {
    char name[GUARDED_NAME_BYTES]; /* such as "e_rms", "holdout.e_rms", "counts.svds.max", "measures.gain" */
    double value;                  /* NAN if not measurable */
    MetricBetter better;
} GuardedNumber;

typedef struct GuardedNumbers {
    GuardedNumber *items; /* [count], owned */
    int count;
} GuardedNumbers;

/* Lists the numbers of a record that is ok, in a fixed order. A curve of a study is guarded by its root
 * mean square, "measures.NAME.rms". Release with guarded_numbers_clear, also on failure. */
Status guarded_numbers_of(const Record *record, GuardedNumbers *out);
void guarded_numbers_clear(GuardedNumbers *quantities);

/* Returns NULL if no number has that name. */
const GuardedNumber *guarded_number_find(const GuardedNumbers *quantities, const char *name);

/* Whether a record is of a kind whose numbers are guarded: skinning, decompositions and studies. */
bool record_is_guarded(const Record *record);

/* SEEDS_MIN: fewer seeds do not show the spread. */
enum { SEEDS_MIN = 5, SEEDS_MAX = 64 };

/* Relative difference that rounding may cause between machines in a number that does not depend on a
 * seed. */
#define SPREAD_ROUNDING 1e-6

typedef struct SeedSpread {
    double median, low, high; /* low and high: smallest and largest value */
    int count;
} SeedSpread;

/* Computes the spread of values [count], which it sorts. Returns NANs if count is 0. */
SeedSpread seed_spread_of(double *values, int count);

/* FINDING_SAME if `median` lies within the spread, otherwise FINDING_WORSE (above) or FINDING_BETTER
 * (below). */
FindingKind seed_spread_judge(const SeedSpread *spread, double median);

/* The seed of a fit's cell; 1 if it has no such parameter. */
int cell_seed(const Cell *cell);

/* Whether two cells are the same fit apart from the seed. */
bool cells_differ_in_seed(const Cell *a, const Cell *b);

/* The guarded numbers of a record, which must not change between versions of the program: metrics,
 * distances to the reference, counts, sizes and the measures of studies, but no times.
 *
 * If a fit has several seeds, the spread of its E_RMS over the seeds is compared. If a loop is rewritten
 * and rounds differently, every fit changes, but the median stays within the spread. If the search becomes
 * worse, the median leaves the spread. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

enum { GUARDED_NAME_BYTES = 96 };

typedef struct GuardedNumber {
    char name[GUARDED_NAME_BYTES]; /* name, such as "e_rms", "holdout.e_rms", "counts.svds.max",
                                      "measures.gain" */
    double value;                  /* value; NAN if not measurable */
    MetricBetter better;
} GuardedNumber;

typedef struct GuardedNumbers {
    GuardedNumber *items; /* [count], owned */
    int count;
} GuardedNumbers;

/* Lists the guarded numbers of a record with status ok, in a fixed order. A curve of a study is guarded by
 * its root mean square, "measures.NAME.rms". Release with guarded_numbers_clear, also on failure. */
Status guarded_numbers_of(const Record *record, GuardedNumbers *out);
void guarded_numbers_clear(GuardedNumbers *quantities);

/* Returns the number of that name, or NULL if there is none. */
const GuardedNumber *guarded_number_find(const GuardedNumbers *quantities, const char *name);

/* Whether a record is of a kind whose numbers are guarded: skinning, decompositions and studies. */
bool record_is_guarded(const Record *record);

/* SEEDS_MIN: number of seeds below which the spread is unknown. */
enum { SEEDS_MIN = 5, SEEDS_MAX = 64 };

/* Relative difference that rounding on another machine may cause in a number that does not depend on a
 * seed. */
#define SPREAD_ROUNDING 1e-6

typedef struct SeedSpread {
    double median, low, high; /* low and high: smallest and largest value */
    int count;
} SeedSpread;

/* Computes the spread of values [count], which it sorts. Returns NANs if count is 0. */
SeedSpread seed_spread_of(double *values, int count);

/* Returns FINDING_SAME if `median` lies within the spread, FINDING_WORSE if it lies above, and
 * FINDING_BETTER if it lies below. */
FindingKind seed_spread_judge(const SeedSpread *spread, double median);

/* Returns the seed of a fit's cell; 1 if the cell has no such parameter. */
int cell_seed(const Cell *cell);

/* Whether two cells are the same fit apart from the seed. */
bool cells_differ_in_seed(const Cell *a, const Cell *b);

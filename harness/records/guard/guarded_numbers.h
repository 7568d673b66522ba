/* The numbers of a record that are guarded: metrics, distances to the reference, counts, sizes, what studies
 * measured; no times. And fits of one task with several seeds: what they scatter by, and whether a median
 * lies within that. A loop that is rewritten and rounds otherwise changes every fit, and its median stays
 * within the spread; a worse search moves the median out of it. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

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

/* Fewer say nothing of a spread. */
enum { SEEDS_MIN = 5, SEEDS_MAX = 64 };

/* What rounding leaves of a number that does not depend on a seed, as a share of it, on any machine. */
#define SPREAD_ROUNDING 1e-6

typedef struct SeedSpread {
    double median, low, high; /* low and high: the least and the greatest */
    int count;
} SeedSpread;

/* Of values [count], which get sorted; count 0 gives NANs. */
SeedSpread seed_spread_of(double *values, int count);

/* FINDING_SAME where `median` lies within the spread, else FINDING_WORSE (above it) or FINDING_BETTER. */
FindingKind seed_spread_judge(const SeedSpread *spread, double median);

/* The seed of a fit's cell: 1 where it says none. */
int cell_seed(const Cell *cell);

/* Whether two cells are the same fit but for the seed. */
bool cells_differ_in_seed(const Cell *a, const Cell *b);

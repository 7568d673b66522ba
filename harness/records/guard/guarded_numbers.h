/* The guarded numbers of a record must not change between versions of the program: metrics, distances to
 * the reference, counts, sizes and the measures of studies, but no times (record_numbers.h).
 *
 * If a fit has several seeds, the spread of its E_RMS over the seeds is compared. If a loop is rewritten
 * and rounds differently, every fit changes, but the median stays within the spread. If the search becomes
 * worse, the median leaves the spread. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

/* Whether a record is of a kind whose numbers are guarded: skinning, decompositions and studies. */
bool record_is_guarded(const Record *record);

/* SEEDS_MIN: number of seeds below which the spread is unknown. */
enum { SEEDS_MIN = 5, SEEDS_MAX = 64 };

/* Relative difference that rounding on another machine may cause in a number that does not depend on a
 * seed. */
#define SPREAD_ROUNDING 1e-6

/* Computes the spread of values [count], which it sorts. Returns NANs if count is 0. */
SampledNumber seed_spread_of(double *values, int count);

/* Returns FINDING_SAME if `median` lies within the spread, FINDING_WORSE if it lies above, and
 * FINDING_BETTER if it lies below. */
FindingKind seed_spread_judge(const SampledNumber *spread, double median);

/* Returns the seed of a fit's cell; 1 if the cell has no such parameter. */
int cell_seed(const Cell *cell);

/* Whether two cells are the same fit apart from the seed. */
bool cells_differ_in_seed(const Cell *a, const Cell *b);

/* Robust statistics of timing samples, and of their paired ratios. All are deterministic: the bootstrap draws
 * from a seeded generator. Times are not normally distributed, so nothing here assumes that they are. */
#pragma once

#include "datasets/base/base.h"

typedef struct Statistics {
    size_t count;
    double minimum, median, maximum;
    double quartile_low, quartile_high; /* the interquartile range is their difference */
    double interval_low, interval_high; /* of the median, 95 %, percentile bootstrap */
} Statistics;

enum { BOOTSTRAP_RESAMPLES = 1000 };

/* Ascending; values [count] without NANs. */
void values_sort(double *values, size_t count);

/* Fewer samples give no interval of a median. */
enum { INTERVAL_SAMPLES_MIN = 5 };

/* Quantile of ascending values by linear interpolation (Hyndman and Fan's type 7). count >= 1. */
double quantile_of_sorted(const double *sorted, size_t count, double share);

/* The median of values [count], which it sorts; NAN: there are none. */
double median_sorting(double *values, int count);

/* Of values [count], in any order; count 0 gives NANs. scratch [2 * count]. */
Statistics statistics_of(const double *values, size_t count, uint64_t seed, double *scratch);

/* Of the ratios numerators[i] / denominators[i]: sample i of both was taken in the same round, so that what
 * slowed one down slowed the other. scratch [3 * count]. */
Statistics statistics_of_ratios(const double *numerators, const double *denominators, size_t count,
                                uint64_t seed, double *scratch);

/* Kendall's tau-b of pairs a[i], b[i], i < count: 1 where both are in the same order, -1 where they are in
 * opposite orders; ties in either count for neither. NAN: fewer than two pairs, or all of one list are
 * equal. */
double kendall_tau(const double *a, const double *b, int count);

/* Robust statistics of timing samples and of their paired ratios. The results are deterministic, because
 * the bootstrap uses a seeded generator. Times are not normally distributed, and nothing here assumes that
 * they are. */
#pragma once

#include "datasets/base/base.h"

typedef struct Statistics {
    size_t count;
    double minimum, median, maximum;
    double quartile_low, quartile_high; /* quartiles, whose difference is the interquartile range */
    double interval_low, interval_high; /* 95 % interval of the median, percentile bootstrap */
} Statistics;

enum { BOOTSTRAP_RESAMPLES = 1000 };

/* Smallest number of samples for an interval of the median. */
enum { INTERVAL_SAMPLES_MIN = 5 };

/* Returns a quantile of ascending values by linear interpolation (Hyndman and Fan's type 7). `share` is the
 * fraction of values below the quantile; count >= 1. */
double quantile_of_sorted(const double *sorted, size_t count, double share);

/* Returns the median of a resample of ascending values [count] that drew value i counts[i] times, in `count`
 * draws altogether. */
double median_of_counted(const double *sorted, const double *counts, size_t count);

/* Sorts values [count] and returns their median; NAN if there are none. */
double median_sorting(double *values, int count);

/* Computes the statistics of values [count], in any order; all NAN if count is 0. scratch [2 * count]. */
Statistics statistics_of(const double *values, size_t count, uint64_t seed, double *scratch);

/* Computes the statistics of the ratios numerators[i] / denominators[i]. Sample i of both was taken in the
 * same round, so that disturbances affected both. scratch [3 * count]. */
Statistics statistics_of_ratios(const double *numerators, const double *denominators, size_t count,
                                uint64_t seed, double *scratch);

/* Returns Kendall's tau-b, the rank correlation of the pairs a[i], b[i], i < count. It is 1 if both lists
 * have the same order and -1 if their orders are opposite. Pairs that are tied in either list count neither
 * as agreeing nor as opposite. NAN if there are fewer than two pairs, or if all values of one list are
 * equal. */
double kendall_tau(const double *a, const double *b, int count);

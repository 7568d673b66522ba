/* Finds values of given ranks among many floats that are not negative, exactly, in memory that does not
 * grow with their number. All values are counted in bins of 0.4 % of a value. For bins near the wanted
 * ranks, pages count every single float. If a rank turns out to be on no page, aim again and count all
 * values again. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

enum {
    COUNT_PAGE_BITS = 15, /* bits of a float within a bin */
    HISTOGRAM_PAGE = 1 << COUNT_PAGE_BITS,
    HISTOGRAM_BINS = 1 << (31 - COUNT_PAGE_BITS),
    QUANTILES_MAX = 2 /* largest number of ranks */
};

typedef struct FloatHistogram {
    int thread_count;
    uint64_t *bins; /* [threads][HISTOGRAM_BINS] number of values in each bin */
    double *all;    /* [2][HISTOGRAM_BINS] totals of all threads and ranks, set by float_histogram_find, and
                       their rounding errors */
    int32_t *pages; /* [HISTOGRAM_BINS] page of a bin; -1: none */
    uint16_t *counters; /* [page_max][HISTOGRAM_PAGE] */
    int page_max;
    uint32_t *carries; /* [carry_capacity] counters that have passed 2^16, listed once for each time */
    size_t carry_count, carry_capacity;
} FloatHistogram;

/* Prepares for at most `total` values on this rank, with `page_bytes` for all pages (at least two), on some
 * threads, each of which needs another 0.5 MB. STATUS_SYSTEM if out of memory. Release with
 * float_histogram_clear. */
Status float_histogram_init(double total, size_t page_bytes, int threads, FloatHistogram *out);
void float_histogram_clear(FloatHistogram *counts);

void float_histogram_add(FloatHistogram *counts, const float *values, size_t count);

/* Aims at the values that exceed the shares `shares` [count] of what all ranks (NULL: one) have counted,
 * and starts counting again. */
void float_histogram_refine(FloatHistogram *counts, const Ranks *ranks, const double *shares, int count);

/* Finds the from_top-th largest value of all ranks; 1 means the largest. Returns false if it is on no
 * page. */
bool float_histogram_find(FloatHistogram *counts, const Ranks *ranks, double from_top, float *value);

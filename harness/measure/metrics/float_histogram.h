/* Finds exact quantiles of many floats that are not negative, in memory that does not grow with the number
 * of floats. All floats are counted in bins whose width is 0.4 % of the value. A bin near a wanted quantile
 * also has a page, an array with one counter for every distinct float in the bin. If a quantile turns out
 * to lie in a bin without a page, other bins get the pages, and all floats are counted again. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

enum {
    COUNT_PAGE_BITS = 15, /* number of low bits of a float; floats in one bin differ only in these bits */
    HISTOGRAM_PAGE = 1 << COUNT_PAGE_BITS,
    HISTOGRAM_BINS = 1 << (31 - COUNT_PAGE_BITS),
    QUANTILES_MAX = 2 /* largest number of quantiles */
};

typedef struct FloatHistogram {
    int thread_count;
    uint64_t *bins; /* [threads][HISTOGRAM_BINS] number of values in each bin */
    double *all;    /* [2][HISTOGRAM_BINS] totals of all threads and ranks, and their rounding errors; set by
                       float_histogram_find */
    int32_t *pages; /* [HISTOGRAM_BINS] index of the page with the bin's exact counters; -1: no page */
    uint16_t *counters; /* [page_max][HISTOGRAM_PAGE] */
    int page_max;
    uint32_t *carries; /* [carry_capacity] overflows of 16-bit counters; a counter is listed once for each
                          overflow */
    size_t carry_count, carry_capacity;
} FloatHistogram;

/* Prepares to count at most `total` values on this rank. The exact counters (pages) take `page_bytes` in
 * all, but at least two pages exist. Each thread takes another 0.5 MB. STATUS_SYSTEM if out of memory.
 * Release with float_histogram_clear. */
Status float_histogram_init(double total, size_t page_bytes, int threads, FloatHistogram *out);
void float_histogram_clear(FloatHistogram *counts);

void float_histogram_add(FloatHistogram *counts, const float *values, size_t count);

/* Chooses the bins whose floats are counted exactly, and restarts counting. These are the bins that contain
 * the wanted quantiles according to the values counted so far by all ranks (NULL: one), and bins near them.
 * shares [count] are the wanted quantiles: 0.05 stands for the value that 5 % of all values exceed. */
void float_histogram_refine(FloatHistogram *counts, const Ranks *ranks, const double *shares, int count);

/* Finds the from_top-th largest value of all ranks; 1 means the largest. Returns false if the bin of this
 * value has no exact counters. */
bool float_histogram_find(FloatHistogram *counts, const Ranks *ranks, double from_top, float *value);

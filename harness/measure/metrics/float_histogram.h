/* Finds exact quantiles of many floats that are not negative, in memory that does not grow with the number
 * of floats. All floats are counted in bins whose width is 0.4 % of the value. Bins near the wanted
 * quantiles also have pages, which count every distinct float. If a quantile turns out to lie in a bin
 * without a page, the pages are moved and all floats are counted again. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

enum {
    COUNT_PAGE_BITS = 15, /* number of low bits, by which the floats in a bin differ */
    HISTOGRAM_PAGE = 1 << COUNT_PAGE_BITS,
    HISTOGRAM_BINS = 1 << (31 - COUNT_PAGE_BITS),
    QUANTILES_MAX = 2 /* largest number of quantiles */
};

typedef struct FloatHistogram {
    int thread_count;
    uint64_t *bins; /* [threads][HISTOGRAM_BINS] number of values in each bin */
    double *all;    /* [2][HISTOGRAM_BINS] totals of all threads and ranks, and their rounding errors; set by
                       float_histogram_find */
    int32_t *pages; /* [HISTOGRAM_BINS] page of each bin; -1: none */
    uint16_t *counters; /* [page_max][HISTOGRAM_PAGE] */
    int page_max;
    uint32_t *carries; /* [carry_capacity] a counter is listed once for each time it exceeds 16 bits */
    size_t carry_count, carry_capacity;
} FloatHistogram;

/* Prepares for at most `total` values on this rank. All pages together (at least two) take `page_bytes`,
 * and each thread takes another 0.5 MB. STATUS_SYSTEM if out of memory. Release with
 * float_histogram_clear. */
Status float_histogram_init(double total, size_t page_bytes, int threads, FloatHistogram *out);
void float_histogram_clear(FloatHistogram *counts);

void float_histogram_add(FloatHistogram *counts, const float *values, size_t count);

/* Moves the pages to the bins of some quantiles, according to the values that all ranks (NULL: one) have
 * counted, and restarts counting. shares [count] are the positions of the quantiles from the largest value,
 * as fractions of all values. */
void float_histogram_refine(FloatHistogram *counts, const Ranks *ranks, const double *shares, int count);

/* Finds the from_top-th largest value of all ranks; 1 means the largest. Returns false if the value is on
 * no page. */
bool float_histogram_find(FloatHistogram *counts, const Ranks *ranks, double from_top, float *value);

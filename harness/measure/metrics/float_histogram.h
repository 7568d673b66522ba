/* The values of given ranks among very many floats that are not negative, exactly, in memory that does not
 * grow with how many there are: all are counted in bins of 0.4 % of a value, and in pages, one counter for
 * every float, those in bins around the ranks that are aimed at. Where a rank turns out to be in no page, it
 * is aimed at again and all values are counted again. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

enum {
    COUNT_PAGE_BITS = 15, /* of a float's, within a bin */
    HISTOGRAM_PAGE = 1 << COUNT_PAGE_BITS,
    HISTOGRAM_BINS = 1 << (31 - COUNT_PAGE_BITS),
    QUANTILES_MAX = 2 /* ranks at most */
};

typedef struct FloatHistogram {
    int thread_count;
    uint64_t *bins; /* [threads][HISTOGRAM_BINS] how many values are in each */
    double *all;    /* [2][HISTOGRAM_BINS] the same of all threads and ranks, once float_histogram_find asks;
                       rests    behind */
    int32_t *pages; /* [HISTOGRAM_BINS] the page of a bin, -1: none */
    uint16_t *counters; /* [page_max][HISTOGRAM_PAGE] */
    int page_max;
    uint32_t *carries; /* [carry_capacity] counters that have passed 2^16, once for each time */
    size_t carry_count, carry_capacity;
} FloatHistogram;

/* For `total` values of this rank at most, with pages of `page_bytes` in all (two at least), on some threads,
 * of which each has 0.5 MB besides. STATUS_SYSTEM: out of memory. Release with float_histogram_clear. */
Status float_histogram_init(double total, size_t page_bytes, int threads, FloatHistogram *out);
void float_histogram_clear(FloatHistogram *counts);

void float_histogram_add(FloatHistogram *counts, const float *values, size_t count);

/* Aims at the values that a share `shares` [count] of what all ranks (NULL: alone) have counted is above, and
 * starts again. */
void float_histogram_refine(FloatHistogram *counts, const Ranks *ranks, const double *shares, int count);

/* The from_top-th greatest of all values of all ranks, 1 for the greatest. False: it is in no page. */
bool float_histogram_find(FloatHistogram *counts, const Ranks *ranks, double from_top, float *value);

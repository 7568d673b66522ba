/* Adds up numbers in twice the precision of a double. Each sum is stored together with its rounding error
 * (Knuth's two-sum). The rounded result does not depend on the order of the terms, unless the terms cancel
 * in nearly all of their 106 bits. */
#pragma once

#include <stddef.h>

typedef struct ExactSum {
    double sum, rest;
} ExactSum;

static inline void exact_sum_add(ExactSum *total, double term)
{
    double sum = total->sum + term, taken = sum - total->sum;
    total->rest += (total->sum - (sum - taken)) + (term - taken);
    total->sum = sum;
}

static inline void exact_sum_join(ExactSum *total, ExactSum other)
{
    exact_sum_add(total, other.sum);
    total->rest += other.rest;
}

/* Adds terms[i] to sum i, for `count` sums whose rounding errors are in low_parts. Sums and low parts must
 * be zero at the start. */
void exact_sums_add(double *sums, double *low_parts, const double *terms, ptrdiff_t count);

/* Rounds the sums: adds low_parts[i] to sums[i] and sets low_parts[i] to 0. */
void exact_sums_round(double *sums, double *low_parts, ptrdiff_t count);

/* Sums in twice the precision of a double, as a sum and what its rounding left (Knuth's two-sum): what they
 * come to once rounded does not depend on the order of the terms, but for terms that cancel to the last 100
 * bits or so. */
#pragma once

#include <stddef.h>

typedef struct ExactSum {
    double sum, rest;
} ExactSum;

static inline void exact_sum_add(ExactSum *to, double term)
{
    double sum = to->sum + term, taken = sum - to->sum;
    to->rest += (to->sum - (sum - taken)) + (term - taken);
    to->sum = sum;
}

static inline void exact_sum_join(ExactSum *to, ExactSum other)
{
    exact_sum_add(to, other.sum);
    to->rest += other.rest;
}

/* The same for arrays of `count` sums, zero at first, whose low parts lie apart: adds terms[i] to sum i. */
void exact_sums_add(double *sums, double *low_parts, const double *terms, ptrdiff_t count);

/* Rounds: sums[i] becomes sums[i] + low_parts[i], low_parts[i] 0. */
void exact_sums_round(double *sums, double *low_parts, ptrdiff_t count);

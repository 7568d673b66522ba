#include "datasets/base/exact_sum.h"

#include "datasets/base/widest_vectors.h"

WIDEST_VECTORS
static void terms_add(double *restrict sums, double *restrict low_parts, const double *restrict terms,
                      ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        double before = sums[i], term = terms[i], sum = before + term, taken = sum - before;
        low_parts[i] += (before - (sum - taken)) + (term - taken);
        sums[i] = sum;
    }
}

void exact_sums_add(double *sums, double *low_parts, const double *terms, ptrdiff_t count)
{
    terms_add(sums, low_parts, terms, count);
}

void exact_sums_round(double *sums, double *low_parts, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        sums[i] += low_parts[i];
        low_parts[i] = 0.0;
    }
}

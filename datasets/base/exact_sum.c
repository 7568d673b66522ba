#include "datasets/base/exact_sum.h"

#include "datasets/base/widest_vectors.h"

WIDEST_VECTORS
static void terms_add(double *restrict sums, double *restrict rests, const double *restrict terms,
                      ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        double before = sums[i], term = terms[i], sum = before + term, taken = sum - before;
        rests[i] += (before - (sum - taken)) + (term - taken);
        sums[i] = sum;
    }
}

void exact_sums_add(double *sums, double *rests, const double *terms, ptrdiff_t count)
{
    terms_add(sums, rests, terms, count);
}

void exact_sums_round(double *sums, double *rests, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        sums[i] += rests[i];
        rests[i] = 0.0;
    }
}

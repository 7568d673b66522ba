#include "harness/tables/agreement.h"

#include "harness/timing/statistics.h"
#include <math.h>
#include <stdlib.h>

static int order(double x, double y)
{
    return (x > y) - (x < y);
}

double kendall_tau(const double *a, const double *b, int count)
{
    double agree = 0.0, untied_a = 0.0, untied_b = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            int of_a = order(a[i], a[j]), of_b = order(b[i], b[j]);
            agree += of_a * of_b;
            untied_a += of_a != 0;
            untied_b += of_b != 0;
        }
    return untied_a > 0.0 && untied_b > 0.0 ? agree / sqrt(untied_a * untied_b) : NAN;
}

static int ascending(const void *x, const void *y)
{
    return order(*(const double *)x, *(const double *)y);
}

double median_sorting(double *values, int count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, ascending);
    return quantile_of_sorted(values, (size_t)count, 0.5);
}

/* Computes quantiles, and the percentile bootstrap of the median (Efron 1979). */
#include "harness/measure/timing/statistics.h"

double quantile_of_sorted(const double *sorted, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

double median_sorting(double *values, int count)
{
    if (count == 0)
        return NAN;
    values_sort(values, (size_t)count);
    return quantile_of_sorted(values, (size_t)count, 0.5);
}

double median_of_counted(const double *sorted, const double *counts, size_t count)
{
    size_t low_rank = (count - 1) / 2, high_rank = count / 2;
    double low = sorted[0], seen = 0.0;
    for (size_t i = 0; i < count; i++) {
        double next = seen + counts[i];
        if (seen <= (double)low_rank && (double)low_rank < next)
            low = sorted[i];
        if (seen <= (double)high_rank && (double)high_rank < next)
            return 0.5 * (low + sorted[i]);
        seen = next;
    }
    return sorted[count - 1];
}

Statistics statistics_of(const double *values, size_t count, uint64_t seed, double *scratch)
{
    Statistics result = {.count = count,
                         .minimum = NAN,
                         .median = NAN,
                         .maximum = NAN,
                         .quartile_low = NAN,
                         .quartile_high = NAN,
                         .interval_low = NAN,
                         .interval_high = NAN};
    if (count == 0)
        return result;
    double *sorted = scratch, *counts = scratch + count;
    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    values_sort(sorted, count);
    result.minimum = sorted[0];
    result.maximum = sorted[count - 1];
    result.median = quantile_of_sorted(sorted, count, 0.5);
    result.quartile_low = quantile_of_sorted(sorted, count, 0.25);
    result.quartile_high = quantile_of_sorted(sorted, count, 0.75);
    double medians[BOOTSTRAP_RESAMPLES];
    Random random = {seed};
    for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
        for (size_t k = 0; k < count; k++)
            counts[k] = 0.0;
        for (size_t k = 0; k < count; k++)
            counts[random_below(&random, count)] += 1.0;
        medians[i] = median_of_counted(sorted, counts, count);
    }
    values_sort(medians, BOOTSTRAP_RESAMPLES);
    result.interval_low = quantile_of_sorted(medians, BOOTSTRAP_RESAMPLES, 0.025);
    result.interval_high = quantile_of_sorted(medians, BOOTSTRAP_RESAMPLES, 0.975);
    return result;
}

Statistics statistics_of_ratios(const double *numerators, const double *denominators, size_t count,
                                uint64_t seed, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[2 * count + i] = numerators[i] / denominators[i];
    return statistics_of(scratch + 2 * count, count, seed, scratch);
}

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

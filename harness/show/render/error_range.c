#include "harness/show/render/error_range.h"

static const double SHARE = 0.99; /* of the errors are within the scale */
static const double STEP = 1.05;  /* from one bin to the next */
static const double LEAST = 1e-9;

void error_range_add(ErrorRange *range, double error)
{
    const double bin = error > LEAST ? ceil(log(error / LEAST) / log(STEP)) : 0.0;
    range->counts[(int)fmin(bin, ERROR_RANGE_BINS - 1)]++;
    range->total++;
    range->max = fmax(range->max, error);
}

/* A number with one or two digits, not below `value`. */
static double round_up(double value)
{
    static const double steps[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    const double power = pow(10.0, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (value <= steps[i] * power * (1.0 + 1e-9))
            return steps[i] * power;
    return 10.0 * power;
}

double error_range_end(const ErrorRange *range)
{
    int64_t within = 0;
    int bin = 0;
    while (bin + 1 < ERROR_RANGE_BINS &&
           (double)(within += range->counts[bin]) < SHARE * (double)range->total)
        bin++;
    const double end = fmin(LEAST * pow(STEP, bin), range->max);
    return range->max > 0.0 ? round_up(fmax(end, LEAST)) : 1.0;
}

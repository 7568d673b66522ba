/* Implements the cluster bootstrap of a median (Davison and Hinkley 1997, section 3.8), and the rule that
 * binary_verdict.h describes. */
#include "harness/run/binary/binary_verdict.h"

enum { RESAMPLES = 2000 };
static const double TAIL =
    0.005; /* fraction of the resamples that lies beyond each end of the 99 % interval */
static const double LEAST_CHANGE = 0.02; /* smallest change of a time that is worth an alarm */
static const double NOISE_FACTOR = 3.0;

const char *const time_verdict_names[TIME_VERDICTS + 1] = {"same", "slower", "faster", "unsure", NULL};

typedef struct ClusteredValue {
    double value;
    int start;
} ClusteredValue;

static int value_compare(const void *left, const void *right)
{
    const double a = ((const ClusteredValue *)left)->value, b = ((const ClusteredValue *)right)->value;
    return (a > b) - (a < b);
}

Status clustered_median(const double *values, int starts, int visits_per_start, Interval *out)
{
    const int count = starts * visits_per_start;
    LOCAL_ARRAY(ClusteredValue, clustered, count, "an interval");
    LOCAL_ARRAY(double, sorted, count, "an interval");
    LOCAL_ARRAY(double, counts, count, "an interval");
    LOCAL_ARRAY(int, drawn, starts, "an interval");
    LOCAL_ARRAY(double, medians, RESAMPLES, "an interval");
    Random random = {20101};
    if (count < 1)
        return bad_usage("cannot compute an interval without samples");
    for (int i = 0; i < count; i++)
        clustered[i] = (ClusteredValue){values[i], i / visits_per_start};
    qsort(clustered, (size_t)count, sizeof *clustered, value_compare);
    for (int i = 0; i < count; i++) {
        sorted[i] = clustered[i].value;
        counts[i] = 1.0;
    }
    out->median = median_of_counted(sorted, counts, (size_t)count);
    for (int r = 0; r < RESAMPLES; r++) {
        /* a value counts as often as the process start to which it belongs is drawn */
        for (int i = 0; i < starts; i++)
            drawn[i] = 0;
        for (int i = 0; i < starts; i++)
            drawn[random_below(&random, (size_t)starts)]++;
        for (int i = 0; i < count; i++)
            counts[i] = drawn[clustered[i].start];
        medians[r] = median_of_counted(sorted, counts, (size_t)count);
    }
    values_sort(medians, RESAMPLES);
    out->low = quantile_of_sorted(medians, RESAMPLES, TAIL);
    out->high = quantile_of_sorted(medians, RESAMPLES, 1.0 - TAIL);
    return status_ok();
}

static double log_ratio(const TimedVisit *visit)
{
    return log(visit->new_s) - 0.5 * (log(visit->old_s) + log(visit->again_s));
}

/* Converts an interval of logarithms of ratios to an interval of ratios. */
static Status ratios_interval(const double *logs, int starts, int visits_per_start, Interval *out)
{
    STATUS_TRY(clustered_median(logs, starts, visits_per_start, out));
    *out = (Interval){exp(out->median), exp(out->low), exp(out->high)};
    return status_ok();
}

static TimeVerdict verdict_of(const TimeJudgement *judgement, int starts)
{
    const Interval *ratio = &judgement->ratio;
    if (starts < STARTS_MIN)
        return TIME_UNSURE;
    if (ratio->low > judgement->bound)
        return TIME_SLOWER;
    if (ratio->high < 1.0 / judgement->bound)
        return TIME_FASTER;
    const bool within = ratio->low > 1.0 / (1.0 + LEAST_CHANGE) && ratio->high < 1.0 + LEAST_CHANGE;
    return within ? TIME_SAME : TIME_UNSURE;
}

Status time_judge(const TimedVisit *visits, int starts, int visits_per_start, TimeJudgement *out)
{
    const size_t count = (size_t)starts * (size_t)visits_per_start;
    LOCAL_ARRAY(double, logs, count, "the times of a cell");
    Interval time;
    for (size_t i = 0; i < count; i++)
        logs[i] = log_ratio(&visits[i]);
    STATUS_TRY(ratios_interval(logs, starts, visits_per_start, &out->ratio));
    for (size_t i = 0; i < count; i++)
        logs[i] = log(visits[i].again_s / visits[i].old_s);
    STATUS_TRY(ratios_interval(logs, starts, visits_per_start, &out->again));
    for (size_t i = 0; i < count; i++)
        logs[i] = 0.5 * log(visits[i].again_s * visits[i].old_s);
    STATUS_TRY(ratios_interval(logs, starts, visits_per_start, &time));
    out->old_s = time.median;
    out->new_s = time.median * out->ratio.median;
    out->noise = fmax(out->again.high - 1.0, 1.0 - out->again.low);
    out->bound = 1.0 + fmax(LEAST_CHANGE, NOISE_FACTOR * out->noise);
    out->verdict = verdict_of(out, starts);
    return status_ok();
}

Status time_ratio_to(const TimedVisit *visits, const TimedVisit *other, int starts, int visits_per_start,
                     Interval *out)
{
    const size_t count = (size_t)starts * (size_t)visits_per_start;
    LOCAL_ARRAY(double, logs, count, "the times of a cell");
    for (size_t i = 0; i < count; i++)
        logs[i] = log_ratio(&visits[i]) - log_ratio(&other[i]);
    return ratios_interval(logs, starts, visits_per_start, out);
}

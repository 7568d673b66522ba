/* Ranks methods by the geometric mean of their ratios to the best, and finds Pareto fronts. */
#include "harness/show/report/ranking.h"

double geometric_mean(const double *values, int count)
{
    double sum = 0.0;
    int found = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(values[i])) {
            sum += log(values[i]);
            found++;
        }
    return found > 0 ? exp(sum / found) : NAN;
}

void ranking_clear(Ranking *ranking)
{
    FREE_ALL(ranking->order, ranking->scores, ranking->ratios, ranking->counts);
    *ranking = (Ranking){.order = NULL};
}

static double value_of(const RankTable *table, int method, int dataset)
{
    return table->values[method * table->dataset_count + dataset];
}

/* Whether a data set compares anything. */
static bool is_compared(const RankTable *table, int dataset)
{
    int known = 0;
    for (int m = 0; m < table->method_count; m++)
        known += !isnan(value_of(table, m, dataset));
    return known > 1;
}

Status ranking_init(const RankTable *table, Ranking *out)
{
    const size_t methods = (size_t)table->method_count, datasets = (size_t)table->dataset_count;
    *out = (Ranking){.order = NULL};
    ALLOCATE(out->order, methods, "a ranking");
    ALLOCATE(out->scores, methods, "a ranking");
    ALLOCATE_TABLE(out->ratios, methods, datasets, "a ranking");
    ALLOCATE(out->counts, datasets, "a ranking");
    /* who is ranked has a score that is not NAN */
    for (int m = 0; m < table->method_count; m++) {
        int known = 0, compared = 0;
        for (int d = 0; d < table->dataset_count; d++)
            if (is_compared(table, d)) {
                compared++;
                known += !isnan(value_of(table, m, d));
            }
        out->scores[m] = known > 0 && 2 * known >= compared ? 1.0 : NAN;
    }
    for (int d = 0; d < table->dataset_count; d++) {
        double best = INFINITY;
        bool whole = is_compared(table, d);
        for (int m = 0; m < table->method_count; m++) {
            const double value = value_of(table, m, d);
            if (isnan(out->scores[m]))
                continue;
            whole = whole && !isnan(value);
            best = fmin(best, value);
        }
        const double divisor = best + table->shifts[d];
        out->counts[d] = whole && isfinite(divisor) && divisor > 0.0;
        out->counting_count += out->counts[d];
        for (int m = 0; m < table->method_count; m++)
            out->ratios[m * table->dataset_count + d] =
                isfinite(divisor) && divisor > 0.0 ? (value_of(table, m, d) + table->shifts[d]) / divisor
                                                   : NAN;
    }
    /* scores, and the order by them */
    for (int m = 0; m < table->method_count; m++) {
        double sum = 0.0;
        for (int d = 0; d < table->dataset_count; d++)
            if (out->counts[d] && !isnan(out->scores[m]))
                sum += log(out->ratios[m * table->dataset_count + d]);
        if (!isnan(out->scores[m]))
            out->scores[m] = out->counting_count > 0 ? exp(sum / out->counting_count) : NAN;
    }
    for (int m = 0; m < table->method_count; m++) {
        int at = out->ranked_count;
        if (isnan(out->scores[m]))
            continue;
        for (; at > 0 && out->scores[out->order[at - 1]] > out->scores[m]; at--)
            out->order[at] = out->order[at - 1];
        out->order[at] = m;
        out->ranked_count++;
    }
    return status_ok();
}

static bool beats(const double *a, const double *b, int measures)
{
    bool smaller = false;
    for (int i = 0; i < measures; i++) {
        if (isnan(a[i]) || a[i] > b[i])
            return false;
        smaller = smaller || a[i] < b[i];
    }
    return smaller;
}

void pareto_front(const double *values, int count, int measures, bool *on_front)
{
    for (int i = 0; i < count; i++) {
        on_front[i] = true;
        for (int k = 0; k < measures; k++)
            on_front[i] = on_front[i] && !isnan(values[i * measures + k]);
        for (int k = 0; k < count && on_front[i]; k++)
            on_front[i] = !beats(&values[k * measures], &values[i * measures], measures);
    }
}

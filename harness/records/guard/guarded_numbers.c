/* Lists the guarded numbers of a record and computes the spread over seeds. */
#include "harness/records/guard/guarded_numbers.h"

bool record_is_guarded(const Record *record)
{
    return record->cell.kind == CELL_SKINNING || record->cell.kind == CELL_DECOMPOSITION ||
           record->cell.kind == CELL_STUDY;
}

static Status quantity_add(GuardedNumbers *out, const char *prefix, const char *name, const char *suffix,
                           double value, MetricBetter better)
{
    GROW(out->items, out->count, "the guarded numbers");
    GuardedNumber *quantity = &out->items[out->count++];
    *quantity = (GuardedNumber){.value = value, .better = better};
    snprintf(quantity->name, sizeof quantity->name, "%.16s%.64s%.8s", prefix, name, suffix);
    return status_ok();
}

static Status metric_numbers_add(GuardedNumbers *out, const char *prefix, const Measures *metrics)
{
    static const char *const distances[] = {"reference_distance_max", "reference_normal_difference_max",
                                            NULL};
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].guarded && measures_find(metrics, rows[i].name))
            STATUS_TRY(quantity_add(out, prefix, rows[i].name, "", measures_value(metrics, rows[i].name),
                                    rows[i].better));
    for (int i = 0; distances[i]; i++)
        if (measures_find(metrics, distances[i]))
            STATUS_TRY(quantity_add(out, prefix, distances[i], "", measures_value(metrics, distances[i]),
                                    METRIC_LOWER));
    return status_ok();
}

/* Adds a number that is an integer. If it is negative or NAN, the record does not have the number, and
 * nothing is added. */
static Status whole_add(GuardedNumbers *out, const char *name, double value, MetricBetter better)
{
    return value >= 0.0 ? quantity_add(out, "", name, "", value, better) : status_ok();
}

/* Returns the root mean square of a curve, which is the number that is compared; NAN if a value of the
 * curve is not finite. */
static double curve_root_mean_square(const Measure *curve)
{
    double sum = 0.0;
    for (int i = 0; i < curve->count; i++)
        sum += curve->curve[i] * curve->curve[i];
    return curve->count > 0 && isfinite(sum) ? sqrt(sum / curve->count) : NAN;
}

Status guarded_numbers_of(const Record *record, GuardedNumbers *out)
{
    *out = (GuardedNumbers){0};
    STATUS_TRY(metric_numbers_add(out, "", &record->metrics));
    STATUS_TRY(metric_numbers_add(out, "holdout.", &record->held));
    for (int i = 0; i < record->counter_count; i++) {
        const RecordCounter *counter = &record->counters[i];
        STATUS_TRY(quantity_add(out, "counts.", counter->name, ".mean", counter->mean, METRIC_NEITHER));
        STATUS_TRY(quantity_add(out, "counts.", counter->name, ".max", counter->max, METRIC_NEITHER));
    }
    if (record->cell.kind == CELL_SKINNING)
        STATUS_TRY(whole_add(out, "joint_sets", record->joint_sets, METRIC_NEITHER));
    if (record->cell.kind == CELL_DECOMPOSITION && record->fit.known) {
        STATUS_TRY(whole_add(out, "size_bytes", record->fit.size_bytes, METRIC_LOWER));
        STATUS_TRY(whole_add(out, "bones_delivered", record->fit.bones_delivered, METRIC_NEITHER));
        STATUS_TRY(whole_add(out, "reduced_dimension", record->fit.reduced_dimension, METRIC_NEITHER));
        STATUS_TRY(whole_add(out, "singular_systems", record->fit.singular_systems, METRIC_NEITHER));
    }
    /* measures of a study */
    for (int i = 0; i < record->measures.count; i++) {
        const Measure *measure = &record->measures.items[i];
        if (!measure->timed)
            STATUS_TRY(quantity_add(out, "measures.", measure->name, measure->curve ? ".rms" : "",
                                    measure->curve ? curve_root_mean_square(measure) : measure->value,
                                    METRIC_NEITHER));
    }
    return status_ok();
}

void guarded_numbers_clear(GuardedNumbers *quantities)
{
    memory_free(quantities->items);
    *quantities = (GuardedNumbers){0};
}

const GuardedNumber *guarded_number_find(const GuardedNumbers *quantities, const char *name)
{
    for (int i = 0; i < quantities->count; i++)
        if (strcmp(quantities->items[i].name, name) == 0)
            return &quantities->items[i];
    return NULL;
}

SeedSpread seed_spread_of(double *values, int count)
{
    if (count == 0)
        return (SeedSpread){NAN, NAN, NAN, 0};
    values_sort(values, (size_t)count);
    return (SeedSpread){quantile_of_sorted(values, (size_t)count, 0.5), values[0], values[count - 1], count};
}

FindingKind seed_spread_judge(const SeedSpread *spread, double median)
{
    const double rounding = SPREAD_ROUNDING * fabs(spread->median);
    if (median >= spread->low - rounding && median <= spread->high + rounding)
        return FINDING_SAME;
    return median < spread->low ? FINDING_BETTER : FINDING_WORSE;
}

int cell_seed(const Cell *cell)
{
    return (int)argument_number_of(cell->parameters, "seed", 1.0);
}

bool cells_differ_in_seed(const Cell *a, const Cell *b)
{
    static const char *const seed[] = {"seed", NULL};
    char texts[2][512];
    if (a->kind != CELL_DECOMPOSITION || b->kind != CELL_DECOMPOSITION || a->threads != b->threads ||
        cell_seed(a) == cell_seed(b) || strcmp(a->dataset.sha256, b->dataset.sha256) != 0 ||
        strcmp(a->method, b->method) != 0)
        return false;
    cell_parameters_without(a, seed, texts[0], sizeof texts[0]);
    cell_parameters_without(b, seed, texts[1], sizeof texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

/* Enumerates the numbers of a record: first the measurements, then the times. */
#include "harness/records/record/quantity.h"

static bool quantity_of_measure(const Measures *measures, const char *prefix, int *index, RecordQuantity *out)
{
    const Measure *measure = NULL;
    for (int i = 0; i < measures->count && !measure; i++)
        if (!measures->items[i].curve && (*index)-- == 0)
            measure = &measures->items[i];
    if (!measure)
        return false;
    const Metric *metric = metric_find(measure->name);
    snprintf(out->name, sizeof out->name, "%s%s", prefix, measure->name);
    out->number.value = measure->value;
    out->timed = measure->timed;
    if (measures_samples(measures, measure->name))
        out->better = METRIC_LOWER;
    if (strcmp(measure->name, "reference_distance_max") ==
        0) /* this measure is itself a rounding error; within the tolerance it counts as rounding */
        out->rounding = measures_value(measures, "tolerance");
    if (metric) {
        out->better = metric->better;
        out->rounding = metric->slack;
    }
    return true;
}

static bool quantity_of_number(const char *prefix, const char *name, double value, RecordQuantity *out)
{
    snprintf(out->name, sizeof out->name, "%s%s", prefix, name);
    out->number.value = value;
    return true;
}

static bool quantity_of_time(const Record *record, const char *name, const char *unit, const Interval *time,
                             int samples, RecordQuantity *out)
{
    snprintf(out->name, sizeof out->name, "%s%s", name, unit);
    out->number = sampled_number(time, samples);
    out->number.disturbed = timing_is_disturbed(&record->timing);
    out->timed = true;
    out->better = METRIC_LOWER;
    return true;
}

bool record_quantity(const Record *record, int index, RecordQuantity *out)
{
    *out = (RecordQuantity){.number = {.low = NAN, .high = NAN}, .better = METRIC_NEITHER};
    if (quantity_of_measure(&record->metrics, "", &index, out) ||
        quantity_of_measure(&record->held, "holdout.", &index, out) ||
        quantity_of_measure(&record->measures, "", &index, out))
        return true;
    if (index < record->counter_count)
        return quantity_of_number("counts.", record->counters[index].name, record->counters[index].mean, out);
    index -= record->counter_count;
    if (record->fit.known && index-- == 0)
        return quantity_of_number("", "size_bytes", record->fit.size_bytes, out);
    if (record->fit.known && index-- == 0)
        return quantity_of_number("", "bones", record->fit.bones_delivered, out);
    if (!record->timing.timed)
        return false;
    for (int i = 0; i < DERIVED_COUNT; i++)
        if (!isnan(record->timing.derived[i].median) && index-- == 0)
            return quantity_of_time(record, derived_names[i], "", &record->timing.derived[i],
                                    record->timing.rounds, out);
    for (int i = STAGE_TOTAL; i < STAGE_COUNT; i++) {
        const StageTime *stage = timing_stage(&record->timing, (Stage)i);
        const Interval time = interval_of(&stage->statistics, 1.0);
        if (!isnan(time.median) && index-- == 0)
            return quantity_of_time(record, stage_names[i], "_s", &time, stage->sample_count, out);
    }
    return false;
}

bool record_quantity_find(const Record *record, const char *name, RecordQuantity *out)
{
    for (int i = 0; record_quantity(record, i, out); i++)
        if (strcmp(out->name, name) == 0)
            return isfinite(out->number.value);
    return false;
}

double quantity_difference(const RecordQuantity *quantity, double other)
{
    const double greater = fmax(fabs(quantity->number.value), fabs(other));
    return greater <= quantity->rounding ? 0.0 : fabs(quantity->number.value - other) / greater;
}

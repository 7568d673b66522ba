/* An owned list of named numbers and curves. */
#include "harness/records/record/measures.h"

#include "harness/measure/timing/statistics.h"

/* Returns the measure of that name, emptied, or appends a new measure. NULL if out of memory. */
static Measure *measure_new(Measures *measures, const char *name)
{
    Measure *before = (Measure *)measures_find(measures, name);
    if (before) {
        memory_free(before->curve);
        before->curve = NULL;
        before->timed = false;
        return before;
    }
    Measure *items = memory_grow(measures->items, (size_t)measures->count, sizeof *items);
    measures->failed = measures->failed || !items;
    if (!items)
        return NULL;
    measures->items = items;
    Measure *measure = &measures->items[measures->count++];
    *measure = (Measure){.value = NAN};
    snprintf(measure->name, sizeof measure->name, "%s", name);
    return measure;
}

/* Marks the measure of that name as a time. The measure is missing if memory ran out when it was added. */
static void measure_time(Measures *measures, const char *name)
{
    Measure *measure = (Measure *)measures_find(measures, name);
    if (measure)
        measure->timed = true;
}

void measures_add(Measures *measures, const char *name, double value)
{
    Measure *measure = measure_new(measures, name);
    if (measure)
        measure->value = value;
}

void measures_add_timed(Measures *measures, const char *name, double value)
{
    measures_add(measures, name, value);
    measure_time(measures, name);
}

void measures_add_curve(Measures *measures, const char *name, const double *values, int count)
{
    Measure *measure = measure_new(measures, name);
    double *curve = measure ? memory_array((size_t)count, sizeof *curve) : NULL;
    measures->failed = measures->failed || !curve;
    if (!curve)
        return;
    if (count > 0)
        memcpy(curve, values, (size_t)count * sizeof *curve);
    measure->curve = curve;
    measure->count = count;
}

void measures_add_samples(Measures *measures, const char *name, const double *samples, int count)
{
    char curve[MEASURE_NAME_BYTES];
    double *scratch = memory_table((size_t)count, 2, sizeof *scratch);
    measures->failed = measures->failed || !scratch;
    if (!scratch)
        return;
    measures_add_timed(measures, name, statistics_of(samples, (size_t)count, 1, scratch).median);
    memory_free(scratch);
    snprintf(curve, sizeof curve, "%.50s_samples", name);
    measures_add_curve(measures, curve, samples, count);
    measure_time(measures, curve);
}

void measures_add_metrics(Measures *measures, const Metrics *metrics, bool with_curves)
{
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++)
        if (metrics->has_further || !rows[i].further)
            measures_add(measures, rows[i].name, metric_value(&rows[i], metrics));
    if (!with_curves)
        return;
    measures_add_curve(measures, "e_rms_per_frame", metrics->e_rms_per_frame, metrics->frame_count);
    measures_add_curve(measures, "volume_change_percent_per_frame", metrics->volume_change_percent_per_frame,
                       metrics->frame_count);
}

Status measures_status(const Measures *measures)
{
    return measures->failed ? status_out_of_memory("the measured numbers") : status_ok();
}

void measures_clear(Measures *measures)
{
    for (int i = 0; i < measures->count; i++)
        memory_free(measures->items[i].curve);
    memory_free(measures->items);
    *measures = (Measures){0};
}

const Measure *measures_find(const Measures *measures, const char *name)
{
    for (int i = 0; i < measures->count; i++)
        if (strcmp(measures->items[i].name, name) == 0)
            return &measures->items[i];
    return NULL;
}

const Measure *measures_samples(const Measures *measures, const char *name)
{
    char curve[MEASURE_NAME_BYTES];
    snprintf(curve, sizeof curve, "%.50s_samples", name);
    const Measure *samples = measures_find(measures, curve);
    return samples && samples->curve ? samples : NULL;
}

double measures_value(const Measures *measures, const char *name)
{
    const Measure *measure = measures_find(measures, name);
    return measure && !measure->curve ? measure->value : NAN;
}

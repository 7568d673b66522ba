/* Named measurements in order: numbers and curves of numbers. */
#pragma once

#include "harness/measure/metrics/metrics.h"

enum { MEASURE_NAME_BYTES = 64 };

typedef struct Measure {
    char name[MEASURE_NAME_BYTES];
    bool timed;    /* whether the measure is a time, or derived from times, and thus different in every run */
    double value;  /* value of a number; NAN if not measurable */
    double *curve; /* [count], owned; NULL for a number */
    int count;
} Measure;

typedef struct Measures {
    Measure *items;
    int count;
    bool failed; /* memory ran out when something was added */
} Measures;

/* Adds a number, or a copy of a curve, or replaces the measure of that name. If memory runs out,
 * measures_status reports it later, so a series of calls needs only one check. */
void measures_add(Measures *measures, const char *name, double value);
/* Adds a number that is a time or derived from times. */
void measures_add_timed(Measures *measures, const char *name, double value);
void measures_add_curve(Measures *measures, const char *name, const double *values, int count);
/* Adds the median of times, and the times themselves, in order of measurement, as the curve
 * "NAME_samples". */
void measures_add_samples(Measures *measures, const char *name, const double *samples, int count);
/* Adds all metrics by name; with_curves also adds the metrics of each frame as curves. */
void measures_add_metrics(Measures *measures, const Metrics *metrics, bool with_curves);
Status measures_status(const Measures *measures);
void measures_clear(Measures *measures);

/* Returns the measure of that name, or NULL. */
const Measure *measures_find(const Measures *measures, const char *name);
/* Returns the samples of a number, or NULL if none were kept. */
const Measure *measures_samples(const Measures *measures, const char *name);
/* Returns the number of that name, or NAN. */
double measures_value(const Measures *measures, const char *name);

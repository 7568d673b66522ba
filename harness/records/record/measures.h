/* What was measured, by name and in order: numbers, and curves of numbers. */
#pragma once

#include "harness/measure/metrics/metrics.h"

enum { MEASURE_NAME_BYTES = 64 };

typedef struct Measure {
    char name[MEASURE_NAME_BYTES];
    bool timed;    /* a time, or made of times: another run gives another number, no error of this one */
    double value;  /* of a number; NAN: could not be measured */
    double *curve; /* [count], owned; NULL: a number */
    int count;
} Measure;

typedef struct Measures {
    Measure *items;
    int count;
    bool failed; /* out of memory when something was added */
} Measures;

/* Adds a number, or a copy of a curve, or replaces that of the same name. Memory that is out is kept for
 * measures_status, so that a run of these needs one check. */
void measures_add(Measures *measures, const char *name, double value);
/* A number that is a time, or made of times. */
void measures_add_timed(Measures *measures, const char *name, double value);
void measures_add_curve(Measures *measures, const char *name, const double *values, int count);
/* Adds the median of times, in the order they were taken, and keeps them as the curve "NAME_samples". */
void measures_add_samples(Measures *measures, const char *name, const double *samples, int count);
/* Adds all metrics by their names; with_curves: those over the frames, too. */
void measures_add_metrics(Measures *measures, const Metrics *metrics, bool with_curves);
Status measures_status(const Measures *measures);
void measures_clear(Measures *measures);

/* The measure of that name; NULL: none. */
const Measure *measures_find(const Measures *measures, const char *name);
/* The samples that were kept of a number; NULL: it has none. */
const Measure *measures_samples(const Measures *measures, const char *name);
/* The number of that name; NAN: there is none. */
double measures_value(const Measures *measures, const char *name);

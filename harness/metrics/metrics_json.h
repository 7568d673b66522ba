/* Metrics as the rows of a table: one list for JSON, for text and for what the nightly comparison guards. */
#ifndef SKINBENCH_METRICS_METRICS_JSON_H
#define SKINBENCH_METRICS_METRICS_JSON_H

#include "harness/metrics/metrics.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct MetricRow {
    const char *name;  /* member of `metrics` in a result */
    const char *title; /* for people */
    const char *unit;  /* "" for a plain number */
    size_t offset;     /* of the double in Metrics */
    bool is_error;     /* smaller is better, 0 is perfect: what `compare` guards */
    double slack;      /* of an error: changes below this are rounding, in the metric's unit */
} MetricRow;

/* All scalar metrics, in the order they are told; `count` rows. */
const MetricRow *metric_rows(int *count);
double metric_value(const MetricRow *row, const Metrics *metrics);

/* A new object of all scalar metrics (NaN as null), with the curves over the frames if asked for. NULL when
 * memory is out. */
json_t *metrics_to_json(const Metrics *metrics, bool with_curves);

/* A new array of numbers, NaN as null. */
json_t *numbers_to_json(const double *values, int count);

#endif

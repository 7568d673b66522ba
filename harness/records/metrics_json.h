/* Metrics as the member `metrics` of a record. */
#ifndef SKINBENCH_RECORDS_METRICS_JSON_H
#define SKINBENCH_RECORDS_METRICS_JSON_H

#include "harness/metrics/metrics.h"
#include <jansson.h>

/* A new object of all metrics (NaN as null), with the curves over the frames if asked for. NULL when memory
 * is out. */
json_t *metrics_to_json(const Metrics *metrics, bool with_curves);

/* A new array of numbers, NaN as null. */
json_t *numbers_to_json(const double *values, int count);

#endif

/* Pieces that the records of all kinds of cells are made of. */
#ifndef SKINBENCH_BENCH_CELL_JSON_H
#define SKINBENCH_BENCH_CELL_JSON_H

#include "datasets/base/parameters.h"
#include "harness/timing/statistics.h"
#include <jansson.h>

/* A new object of all parameters with their values: numbers, true or false, words. */
json_t *parameters_json(const Parameter *rows, int count, const ParameterValues *values);

/* A new object {median_s, minimum_s, quartile_low_s, quartile_high_s, interval_low_s, interval_high_s, inner,
 * samples_s} of samples in seconds; scratch [2 * count]. */
json_t *samples_json(const double *samples, int count, int inner, double *scratch);

/* A new object {median, interval_low, interval_high}, times a factor. */
json_t *interval_json(const Statistics *statistics, double factor);

/* Sets status and reason, and null metrics and timing. */
void record_set_failure(json_t *record, const char *status, const char *reason);

#endif

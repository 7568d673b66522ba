/* The common scale of the colours of errors: from 0 to a plain number that nearly all of them are within. */
#pragma once

#include "datasets/base/base.h"

enum { ERROR_RANGE_BINS = 1024 };

/* The errors so far, counted by size, so that no list of them is needed. Begins as {0}. */
typedef struct ErrorRange {
    int64_t counts[ERROR_RANGE_BINS], total;
    double max;
} ErrorRange;

/* error: 0 or more. */
void error_range_add(ErrorRange *range, double error);

/* The end of the scale: 99 % of the errors are within it (the others are few, and would leave all others at
 * its beginning). A number with one or two digits; 1 where there are no errors, or all are 0. */
double error_range_end(const ErrorRange *range);

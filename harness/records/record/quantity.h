/* The numbers of a record, by name and in a fixed order, for comparisons of machines and for histories. */
#pragma once

#include "harness/records/record/record.h"

enum { QUANTITY_NAME_BYTES = MEASURE_NAME_BYTES + 16 };

typedef struct RecordQuantity {
    /* A metric ("e_rms"; "holdout.e_rms" for held-out frames), a study's measure, "counts.svds",
     * "size_bytes", "bones", a number derived from times ("ns_per_vertex", "ratio_to_lbs", ...) or a stage
     * of a fit ("total_s"). */
    char name[QUANTITY_NAME_BYTES];
    SampledNumber number; /* `samples` is 0 if the number has no samples of its own */
    bool timed; /* differs from run to run; numbers that are not timed are exact apart from rounding */
    MetricBetter better;
    double rounding; /* value below which an exact number is only rounding, in the number's unit */
} RecordQuantity;

/* Gets quantity `index` of the record, from 0, including values that are not finite. Returns false after
 * the last. */
bool record_quantity(const Record *record, int index, RecordQuantity *out);

/* Gets the quantity of this name. Returns false if the record has no such quantity or the quantity is not
 * finite. */
bool record_quantity_find(const Record *record, const char *name, RecordQuantity *out);

/* Returns the difference of two exact numbers as a fraction of the larger; 0 if both are rounding. The
 * numbers count as different if the fraction exceeds QUANTITY_SHARE. */
#define QUANTITY_SHARE 1e-6
double quantity_difference(const RecordQuantity *quantity, double other);

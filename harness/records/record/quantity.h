/* The numbers of a record, by name, in one order: what machines are compared with each other by, and a
 * history is of. */
#pragma once

#include "harness/records/record/record.h"

enum { QUANTITY_NAME_BYTES = MEASURE_NAME_BYTES + 16 };

typedef struct RecordQuantity {
    /* A metric ("e_rms"; "holdout.e_rms" of held-out frames), a study's measure, "counts.svds", "size_bytes",
     * "bones", what is derived from times ("ns_per_vertex", "ratio_to_lbs", ...) or a fit's stage
     * ("total_s"). */
    char name[QUANTITY_NAME_BYTES];
    SampledNumber number; /* samples 0: it has none of its own */
    bool timed;           /* another run gives another number; else it is exact, but for rounding */
    MetricBetter better;
    double rounding; /* an exact number below this is rounding and nothing else, in its own unit */
} RecordQuantity;

/* The quantity number `index` of the record, from 0; false: it has no more. Those that are not finite are
 * among them. */
bool record_quantity(const Record *record, int index, RecordQuantity *out);

/* The quantity of this name; false: the record has none, or it is not finite. */
bool record_quantity_find(const Record *record, const char *name, RecordQuantity *out);

/* How much two exact numbers differ, as a share of the greater; 0 where both are rounding. More than
 * QUANTITY_SHARE is a difference. */
#define QUANTITY_SHARE 1e-6
double quantity_difference(const RecordQuantity *quantity, double other);

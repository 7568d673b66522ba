/* The list of a record's numbers. Published tables, the guard, histories and the comparison of machines read
 * numbers from this list, by name or one after the other. A number of all records of a kind is a row in
 * record_numbers.c. Metrics, counters and measures of studies are listed as the record has them. */
#pragma once

#include "harness/records/record/record.h"

enum { NUMBER_NAME_BYTES = 96 };

typedef struct RecordNumber {
    /* "e_rms"; "holdout.e_rms" for held-out frames; "counts.svds", "counts.svds.max"; "bones"; "frame_ms";
     * "total_s"; a measure of a study, or "NAME.rms" for the root mean square of a curve */
    char name[NUMBER_NAME_BYTES];
    char alias[NUMBER_NAME_BYTES]; /* second name, by which findings call the number and which is read, too:
                                      "counts.svds.mean", "bones_delivered", "measures.gain" */
    SampledNumber number;          /* value: NAN if it is null in the record */
    MetricBetter better;
    double rounding; /* value below which an exact number is only rounding, in the number's unit */
    bool timed;      /* differs from run to run; numbers that are not timed are exact apart from rounding */
    bool guarded;    /* `compare` fails if it changes */
} RecordNumber;

/* Gets number `index` of the record, from 0, in a fixed order. Sizes of the data, and numbers that repeat
 * another in another unit, are left out. Returns false after the last. */
bool record_number_at(const Record *record, int index, RecordNumber *out);

/* Gets the number of this name or alias, which may begin with "metrics.". Returns false if the record does
 * not have it. */
bool record_number_find(const Record *record, const char *name, RecordNumber *out);

/* Returns the title of a number, such as "seconds", and sets *timed if the number is a time. Returns "" if
 * the number has no title, and NULL if records of this kind cannot have it. Studies name their numbers only
 * when they run. */
const char *record_number_title(CellKind kind, const char *name, bool *timed);

/* Returns the difference of two exact numbers as a fraction of the larger; 0 if both are rounding. The
 * numbers count as different if the fraction exceeds NUMBER_SHARE. */
#define NUMBER_SHARE 1e-6
double number_difference(double value, double other, double rounding);

/* Returns |ln(after / before)|; INFINITY if a side is missing or zero, or if the signs differ. */
double number_change(double before, double after);

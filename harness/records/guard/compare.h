/* Whether new results differ from old ones: every guarded number (quantity.h) of every cell of the base, in either
 * direction. Times are shown and not judged: a record's belong to the hour and the machine it was made in.
 *
 * A number may move by a share of itself, TOLERANCE, and by what rounding makes of its scale. Where both were computed
 * alike (the same program flags, compiler, libraries, processor and device) that is all; elsewhere it may move by what
 * the base states: `bounds`, made by baseline.h of runs in other environments. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

#define COMPARE_TOLERANCE 1e-6 /* of a number's size */
#define COMPARE_ROUNDING 1e-15 /* of its scale */

typedef struct CompareOptions {
    double
        tolerance; /* in every environment, without `bounds`; NAN: TOLERANCE, and `bounds` where they apply */
    bool times;    /* times of different environments are shown, too */
} CompareOptions;

/* Of every cell of the base at least one finding, and one of each that only `fresh` has. A cell that was skipped in the base
 * is not guarded, unless its processor only lacked the level of the vector kernels: it is then held against the next
 * lower level of the base, within the bounds. One that is skipped now has vanished where both are of one machine, and is
 * skipped elsewhere.
 * STATUS_BAD_INPUT as store_is_of_one_machine; base_path and fresh_path name the files. Release with findings_clear, on failure too. */
Status records_compare(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                       const char *fresh_path, const CompareOptions *options, Findings *out);

/* STATUS_BAD_INPUT for a store of several machines, and for a baseline that has not as many cells as it says. */
Status store_is_of_one_machine(const RecordStore *store, const char *path);

/* Whether the same program text gives the same bits in both. */
bool environments_compute_alike(const Environment *a, const Environment *b);

/* The environment a record was measured in; NULL: its file does not say. Borrowed. */
const Environment *record_environment(const RecordStore *store, const Record *record);

/* "AMD EPYC, 2 cores, 24 GiB; GNU 12.2.0; OpenBLAS 0.3.21 ... Haswell; commit 1234567": what a store's last run was made
 * with, for people. */
enum { ENVIRONMENT_LINE_BYTES = 2048 };
void environment_line(const RecordStore *store, char text[ENVIRONMENT_LINE_BYTES]);

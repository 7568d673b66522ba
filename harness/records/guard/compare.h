/* Compares the results of two programs that ran the same suite on one machine in one environment: every
 * guarded number (guarded_numbers.h) of every cell, in both directions. Results of different machines
 * cannot be compared in this way, because rounding flips discrete choices of iterative fits. For them,
 * compare an acceptance (accepted.h). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

typedef struct CompareOptions {
    double tolerance; /* fraction by which a number may change; 0: every digit counts */
    bool times;       /* also show times measured in different environments */
} CompareOptions;

/* Appends at least one finding for every cell of either store. If a fit has different numbers, and both
 * stores have several seeds of it, one more finding says whether the fit is worse, better or moved
 * (guarded_numbers.h). The other findings of the fit then take the same kind.
 *
 * STATUS_BAD_INPUT as for store_is_of_one_machine. Release *out with findings_clear, also on failure. */
Status records_compare(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                       const char *fresh_path, const CompareOptions *options, Findings *out);

/* Returns STATUS_BAD_INPUT, with the file's name, for a store with records of several machines. */
Status store_is_of_one_machine(const RecordStore *store, const char *path);

/* Describes both sides of a comparison by file name, environment and commit: "new.jsonl, AMD EPYC, 2
 * cores, 24 GiB; GNU 12.2.0; OpenBLAS 0.3.21 ... Haswell; commit 1234567". `base` may be NULL. */
FindingSource source_of_runs(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                             const char *fresh_path);

/* Compares the results of two programs that ran the same suite on one machine in one environment: every
 * guarded number (guarded_numbers.h) of every cell, in either direction. Digits of two machines differ by
 * rounding, which tips the discrete choices of iterative fits: those are compared by what accepted.h
 * stores. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/guard/finding.h"

typedef struct CompareOptions {
    double tolerance; /* share by which a number may move; 0: every digit counts */
    bool times;       /* shows times of different environments too */
} CompareOptions;

/* Appends at least one finding for every cell of either store. Of a fit that has different numbers and ran
 * with several seeds in both, one more says whether it is worse, better or moved (guarded_numbers.h); its
 * other findings take the same word. STATUS_BAD_INPUT as store_is_of_one_machine. Release *out with
 * findings_clear, on failure too. */
Status records_compare(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                       const char *fresh_path, const CompareOptions *options, Findings *out);

/* STATUS_BAD_INPUT, with the file's name, for a store of several machines. */
Status store_is_of_one_machine(const RecordStore *store, const char *path);

/* "AMD EPYC, 2 cores, 24 GiB; GNU 12.2.0; OpenBLAS 0.3.21 ... Haswell; commit 1234567": what a store's last
 * run was made with, for people. */
enum { ENVIRONMENT_LINE_BYTES = 2048 };
void environment_line(const RecordStore *store, char text[ENVIRONMENT_LINE_BYTES]);

/* What an acceptance stores (results/baseline/accepted.json): why, what it accepted, and E_RMS of every
 * method, which any machine can check. Of direct methods it is the mean over their cells on `reference`,
 * which is exact; of a fit the mean over its cells with each seed, and of these the median and the spread. */
#pragma once

#include "harness/records/guard/guarded_numbers.h"

typedef struct AcceptedMethod {
    char method[CELL_METHOD_BYTES];
    int cells;        /* that e_rms is the mean of */
    SeedSpread e_rms; /* of one seed: it is exact */
} AcceptedMethod;

typedef struct Accepted {
    char date[TIME_STAMP_BYTES];
    char after[ENVIRONMENT_TEXT_BYTES]; /* the commit that the run was made at */
    char reason[REASON_BYTES];
    char found[FINDINGS_TEXT_BYTES]; /* the counts of what was accepted */
    AcceptedMethod *methods;         /* [method_count], owned */
    int method_count;
} Accepted;

/* Reads a file; STATUS_BAD_INPUT names the wrong member. Release with accepted_clear, on failure too. */
Status accepted_read(const char *path, Accepted *out);

/* Writes a file with a line for every method, whole or not at all. */
Status accepted_write(const Accepted *accepted, const char *path);

/* Computes date, commit and methods of a run. STATUS_CHECK_FAILED where cells are wrong or failed,
 * STATUS_BAD_INPUT where there are none; `path` names the file. Release with accepted_clear, on failure
 * too. */
Status accepted_of_run(const RecordStore *run, const char *path, Accepted *out);

/* Appends a finding for every method of either: its median within the accepted spread, or worse, or
 * better. */
Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out);

/* Keeps the accepted lines of those methods of the run whose median lies within the accepted spread, so that
 * a slow drift over many acceptances adds up until it is found. */
void accepted_keep(const Accepted *accepted, Accepted *run);

void accepted_clear(Accepted *accepted);

/* Contents of an acceptance (results/baseline/accepted.json): the reason, the accepted findings, and E_RMS
 * of every method, which any machine can check. For direct methods E_RMS is the mean over their cells on
 * backend `reference`, which is exact. For fits it is the mean over cells for each seed, stored as median
 * and spread over seeds. */
#pragma once

#include "harness/records/guard/guarded_numbers.h"

typedef struct AcceptedMethod {
    char method[CELL_METHOD_BYTES];
    int cells;        /* number of cells whose values are averaged in e_rms */
    SeedSpread e_rms; /* E_RMS and its spread over the seeds; a single seed has no spread */
} AcceptedMethod;

typedef struct Accepted {
    char date[TIME_STAMP_BYTES];
    char after[ENVIRONMENT_TEXT_BYTES]; /* commit on which the run was made */
    char reason[REASON_BYTES];
    char found[FINDINGS_TEXT_BYTES]; /* counts of the accepted findings */
    AcceptedMethod *methods;         /* [method_count], owned */
    int method_count;
} Accepted;

/* Reads a file. STATUS_BAD_INPUT names a wrong member. Release with accepted_clear, also on failure. */
Status accepted_read(const char *path, Accepted *out);

/* Writes a file with one line per method, completely or not at all. */
Status accepted_write(const Accepted *accepted, const char *path);

/* Makes an acceptance of a run's date, commit and methods. STATUS_CHECK_FAILED if cells are wrong or
 * failed, STATUS_BAD_INPUT if there are no cells. `path` names the file in messages. Release with
 * accepted_clear, also on failure. */
Status accepted_of_run(const RecordStore *run, const char *path, Accepted *out);

/* Appends a finding for every method that the run or the acceptance has. The finding says whether the
 * median of the run lies within the accepted spread, is worse or is better. */
Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out);

/* Replaces the values of those methods whose median lies within the accepted spread by the accepted values.
 * The accepted median then stays fixed, so a slow drift adds up over many acceptances until it is found. */
void accepted_keep(const Accepted *accepted, Accepted *run);

void accepted_clear(Accepted *accepted);

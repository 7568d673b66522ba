/* Contents of an acceptance (results/baseline/accepted.json): the reason, the accepted findings, and the
 * E_RMS of every method. Any machine can check the E_RMS. For a direct method it is the mean over the cells
 * on backend `reference`, which is exact. For fits it is the mean over the cells for each seed; its median
 * and spread over the seeds are stored. */
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

/* Appends a finding for every method in the run or in the acceptance. The finding says whether the median
 * in the run is within the accepted spread, worse, or better. */
Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out);

/* For each method whose median lies within the accepted spread, keeps the accepted values instead of the
 * new ones. The accepted median thus stays fixed over many acceptances, and a slow drift is found once it
 * leaves the spread. */
void accepted_keep(const Accepted *accepted, Accepted *run);

void accepted_clear(Accepted *accepted);

/* Contents of an acceptance (results/baseline/accepted.json): the reason, the accepted findings, what was
 * accepted and what was left out for each method, and the E_RMS of every method. Any machine can check the
 * E_RMS. For a direct method it is the mean over the cells on backend `reference`, which is exact. For
 * fits it is the mean over the cells for each seed; its median and spread over the seeds are stored. */
#pragma once

#include "harness/records/guard/guarded_numbers.h"
#include "harness/records/guard/method_summary.h"

typedef struct AcceptedMethod {
    char method[CELL_METHOD_BYTES];
    int cells;           /* number of cells whose values are averaged in e_rms */
    SampledNumber e_rms; /* E_RMS and its spread over the seeds, the samples */
} AcceptedMethod;

/* The last change of a method, or of a study, that was accepted or left out. */
typedef struct AcceptedChange {
    char name[METHOD_SUMMARY_NAME_BYTES]; /* method, or "study NAME" */
    bool open; /* Left out: the guard keeps failing until the method is accepted. */
    char date[TIME_STAMP_BYTES];
    char since[COMMIT_BYTES]; /* open: the commit that the changes were compared with; otherwise "" */
    char reason[REASON_BYTES];
    char found[METHOD_SUMMARY_BYTES];        /* what changed, in a line (method_summary.h) */
    int worse;                               /* number of cells that became worse, slower, or vanished */
    char greatest[FINDING_CELL_BYTES + 128]; /* the cell and number that changed most */
} AcceptedChange;

typedef struct Accepted {
    char date[TIME_STAMP_BYTES];
    char after[ENVIRONMENT_TEXT_BYTES]; /* commit on which the run was made */
    char reason[REASON_BYTES];
    char found[FINDINGS_TEXT_BYTES]; /* counts of the accepted findings */
    AcceptedMethod *methods;         /* [method_count], owned */
    AcceptedChange *changes;         /* [change_count], owned */
    int method_count, change_count;
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
 * in the run is within the accepted spread, worse, or better. A method or cells that the acceptance lacks
 * are new. Also appends a finding for every change that the acceptance left open. */
Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out);

/* Turns a run's acceptance into one that follows `before` and accepts only the findings that `names`
 * [count] name: methods ("dqs", "study cor-fig2"), cells, or "all". `run` has the date and the reason.
 *
 * The lines of other methods are those of `before`. So are those of named methods whose median lies within
 * the accepted spread: the accepted median stays fixed over many acceptances, and a slow drift is found
 * once it leaves the spread. Changes that are not named become open changes. STATUS_USAGE for a name that
 * no finding has, or of which nothing changed. */
Status accepted_follow(const Accepted *before, const Findings *findings, const char *const *names, int count,
                       Accepted *run);

void accepted_clear(Accepted *accepted);

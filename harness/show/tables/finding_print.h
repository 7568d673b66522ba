/* Findings for people, for programs that read JUnit XML, and for a pull request. */
#pragma once

#include "harness/records/guard/finding.h"
#include <jansson.h>

/* What was compared, for the head of a file. */
typedef struct FindingSource {
    const char *title;              /* "accuracy", "times" */
    const char *base, *fresh;       /* the files or executables; base may be "" */
    const char *base_of, *fresh_of; /* what each was made with, a line; "": unknown */
} FindingSource;

/* A Markdown table, which a terminal shows too, of what fails, then of what else there is to say: a row for
 * each cell and kind, 40 of each kind at most; then how many cells were skipped for which reason, and a line
 * of counts. */
Status findings_print_text(const Findings *findings, FILE *file);

/* An object for each finding: cell, finding (its kind), metric (of what), base, new, ratio, low, high, bound,
 * samples, disturbed, reason. NULL: out of memory. */
json_t *finding_to_json(const GuardFinding *finding);

/* Writes a summary in Markdown, and a JUnit file with one test case for each cell (whole or not at all). */
Status findings_write_markdown(const Findings *findings, const FindingSource *source, const char *path);
Status findings_write_junit(const Findings *findings, const FindingSource *source, const char *path);

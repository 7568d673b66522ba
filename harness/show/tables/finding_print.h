/* Prints findings for people, for programs that read JUnit XML, and for pull requests. */
#pragma once

#include "harness/records/guard/finding.h"
#include <jansson.h>

/* The two sides of a comparison, for the head of a file. */
typedef struct FindingSource {
    const char *title;              /* "accuracy", "times" */
    const char *base, *fresh;       /* files or executables; base may be "" */
    const char *base_of, *fresh_of; /* one line each that says how it was made; "" if unknown */
} FindingSource;

/* Prints a Markdown table, which is also readable in a terminal: failures first, then other findings, a row
 * for each cell and kind, at most 40 of each kind. Below are the numbers of skipped cells by reason, and a
 * line of counts. */
Status findings_print_text(const Findings *findings, FILE *file);

/* Returns an object for each finding: cell, finding (its kind), metric (of what), base, new, ratio, low,
 * high, bound, samples, disturbed, reason. NULL if memory runs out. */
json_t *finding_to_json(const GuardFinding *finding);

/* Writes a summary in Markdown, or a JUnit file with one test case per cell, atomically. */
Status findings_write_markdown(const Findings *findings, const FindingSource *source, const char *path);
Status findings_write_junit(const Findings *findings, const FindingSource *source, const char *path);

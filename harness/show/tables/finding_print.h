/* Prints the findings of a comparison as text for people, JUnit XML for programs, and Markdown for pull
 * requests. */
#pragma once

#include "harness/records/guard/finding.h"
#include <jansson.h>

/* The two sides of a comparison, with names and descriptions that are printed at the top of a file. */
typedef struct FindingSource {
    const char *title;              /* "accuracy", "times" */
    const char *base, *fresh;       /* paths of the two files or executables; base may be "" */
    const char *base_of, *fresh_of; /* one line about how each side was made; "" if unknown */
} FindingSource;

/* Prints a Markdown table that is also readable in a terminal. Failures come first, then other findings. It
 * has a row for each cell and kind of finding, at most 40 of each kind. Below it are the numbers of skipped
 * cells by reason, and a line of counts. */
Status findings_print_text(const Findings *findings, FILE *file);

/* Returns a JSON object for a finding, with the members cell, finding (its kind), metric (what was
 * measured), base, new, ratio, low, high, bound, samples, disturbed and reason. Returns NULL if memory runs
 * out. */
json_t *finding_to_json(const GuardFinding *finding);

/* Write a summary in Markdown, or a JUnit file with one test case per cell. The file appears only when it
 * is complete. */
Status findings_write_markdown(const Findings *findings, const FindingSource *source, const char *path);
Status findings_write_junit(const Findings *findings, const FindingSource *source, const char *path);

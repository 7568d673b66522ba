/* Writes findings as the JSON lines that `compare --json` prints, and reads them for `compare --also`. */
#pragma once

#include "harness/records/guard/finding.h"
#include <jansson.h>

/* Makes an object of a finding, with the members part, cell, method, backend, finding (its kind), metric
 * (what was measured), base, new, ratio, low, high, bound, samples, disturbed and reason. NULL if out of
 * memory. */
json_t *finding_to_json(const GuardFinding *finding);

/* Makes an object of all findings, which is the last line of an output: finding ("summary"), cell (""),
 * verdict, counts, methods (method, found, and the numbers of worse cells and of numbers that differ by
 * rounding) and sources (part, base, new, base_commit and commit). NULL if out of memory. */
json_t *findings_summary_to_json(const Findings *findings);

/* Appends the findings and sources of such lines. STATUS_BAD_INPUT names the file, the line and the
 * member. */
Status findings_read(const char *path, Findings *out);

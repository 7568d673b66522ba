/* Prints the findings of a comparison as text for people, JUnit XML for programs, and Markdown for pull
 * requests. */
#pragma once

#include "harness/records/guard/finding.h"

/* Prints one line for each method that changed, the greatest changes first, and names the methods that
 * differ by rounding only; if `folded` is set, with a folded table of these differences. Then prints a table
 * in Markdown, which is also readable in a terminal. It has a row for each cell and kind of finding, at most
 * 40 of each kind. Failures come first. Below it are the numbers of skipped cells by reason, and a line of
 * counts. */
Status findings_print(const Findings *findings, bool folded, FILE *file);

/* Write a page in Markdown, which has the text of findings_print with the folded table, or a JUnit file
 * with a test suite for each part and a test case for each cell. The file appears only when it is
 * complete. */
Status findings_write_markdown(const Findings *findings, const char *path);
Status findings_write_junit(const Findings *findings, const char *path);

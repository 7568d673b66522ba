/* Compares two runs, or a run with the accepted results, for the commands `compare` and `accept`. */
#pragma once

#include "harness/commands/command_line.h"
#include "harness/records/guard/accepted.h"
#include "harness/show/tables/finding_print.h"

/* Options that `compare` and `accept` share. */
#define COMPARE_RUNS_OPTIONS                                                                                 \
    {"tolerance", "SHARE", "fraction by which a number may change (default: 0, every digit counts)"},        \
        {"force", NULL, "also compare times from different environments"},                                   \
        {"also", "FINDINGS.jsonl", "add the findings that compare --json has written; may be repeated"},     \
        {"junit", "FILE", "write a JUnit file with a test case for each cell"},                              \
    {                                                                                                        \
        "markdown", "FILE", "write a summary for a pull request"                                             \
    }

/* Appends the findings of the files that --also names. Prints all findings as text or JSON, and writes the
 * files named by --junit and --markdown. */
Status findings_output(const CommandLine *line, Findings *findings);

/* The result of a comparison. Starts as {0}; release with run_comparison_clear, also on failure. */
typedef struct RunComparison {
    Findings findings;
    Accepted before; /* content of the file `accepted`; empty if there is none */
    Accepted run;    /* acceptance made of the run */
    Status refused;  /* result of accepted_of_run: STATUS_CHECK_FAILED if cells are wrong or failed */
} RunComparison;
void run_comparison_clear(RunComparison *comparison);

/* Compares a run, the command's last argument, with the argument before it (if there are two) and with the
 * file `accepted` (unless NULL), and prints the findings. Compares nothing if there is no argument. */
Status compare_runs(const CommandLine *line, const char *accepted, RunComparison *out);

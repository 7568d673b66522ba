/* Compares two runs, or a run with the accepted results, for the commands `compare` and `accept`. */
#pragma once

#include "harness/commands/command_line.h"
#include "harness/records/guard/accepted.h"
#include "harness/show/tables/finding_print.h"

/* Options that `compare` and `accept` share. */
#define COMPARE_RUNS_OPTIONS                                                                                 \
    {"tolerance", "SHARE", "fraction by which a number may change (default: 0, every digit counts)"},        \
        {"force", NULL, "also compare times from different environments"},                                   \
        {"junit", "FILE", "write a JUnit file with a test case for each cell"},                              \
    {                                                                                                        \
        "markdown", "FILE", "write a summary for a pull request"                                             \
    }

/* Prints findings as text or JSON and writes the files named by --junit and --markdown. */
Status findings_output(const CommandLine *line, const Findings *findings, const FindingSource *source);

/* Compares a run, the command's last argument, with the argument before it (if there are two) and with the
 * file `accepted` (unless NULL), and prints the findings. `run` receives the result of accepted_of_run.
 * Release both with findings_clear and accepted_clear, also on failure. */
Status compare_runs(const CommandLine *line, const char *accepted, Findings *findings, Accepted *before,
                    Accepted *run);

/* Compares the results of two programs, and a run with what was accepted: for the commands `compare` and
 * `accept`. */
#pragma once

#include "harness/commands/command_line.h"
#include "harness/records/guard/accepted.h"
#include "harness/show/tables/finding_print.h"

/* Rows of the options that both take. */
#define COMPARE_RUNS_OPTIONS                                                                                 \
    {"tolerance", "SHARE", "numbers may move by this share (default: 0, every digit counts)"},               \
        {"force", NULL, "also compare times from different environments"},                                   \
        {"junit", "FILE", "write a JUnit file with a test case for each cell"},                              \
    {                                                                                                        \
        "markdown", "FILE", "write a summary for a pull request"                                             \
    }

/* Prints findings as text or JSON, and writes the files that --junit and --markdown name. */
Status findings_output(const CommandLine *line, const Findings *findings, const FindingSource *source);

/* Compares the command's last argument, a run, with the one before it, if there are two, and with the file
 * `accepted`, if it is not NULL, and prints what was found. `run` gets what accepted_of_run says. Release
 * both with findings_clear and accepted_clear, on failure too. */
Status compare_runs(const CommandLine *line, const char *accepted, Findings *findings, Accepted *before,
                    Accepted *run);

/* compare --binary OLD NEW: whether a build is slower than another. */
#pragma once

#include "harness/commands/command_line.h"

/* Rows of the command's options that only --binary takes. */
#define COMPARE_BINARY_OPTIONS                                                                               \
    {"binary", NULL, "time two executables against each other, in rounds that alternate between them"},      \
        {"suite", "FILE", "with --binary: what to time (default: results/baseline/times.json)"},             \
        {"methods", "A,B", "with --binary: only these methods"},                                             \
        {"frames", "F", "with --binary: pose at most this many frames at once (default: 8)"},                \
        {"rounds", "N", "with --binary: rounds of every cell (default: 12)"},                                \
        {"rounds-max", "N",                                                                                  \
         "with --binary: at most this many rounds of cells that stay unsure (default: 384)"},                \
    {                                                                                                        \
        "time-budget", "S",                                                                                  \
            "with --binary: start no round after this many seconds; unsure cells stay so (default: 180)"     \
    }

/* STATUS_CHECK_FAILED when NEW is slower. */
Status compare_binary_run(const CommandLine *line);

/* Options of all commands that time skinning: number of poses, duration and precision. */
#pragma once

#include "harness/commands/command_line.h"
#include "harness/run/bench/bench.h"

/* Option rows for the table of a command. `time_budget` is the default time budget as a string literal. */
#define BENCH_LIMIT_OPTIONS(time_budget)                                                                     \
    {"frames", "F",                                                                                          \
     "pose at most this many frames at once (default: 64, or for bench on a GPU 100 million vertices)"},     \
        {"time-budget", "S", "seconds of timing per data set (default: " time_budget ")"},                   \
        {"external", "NAME|PROGRAM.json,...",                                                                \
         "other programs: bench also runs their fits for each of --bones, and their skins and predictions "  \
         "for each rig; a table runs those that it names (packaging/external/README.md)"},                   \
        {"shard", "I/N", "run only part I of N of the cells, so that N machines share them (see merge)"},    \
        {"rounds", "N", "maximum number of timing rounds (default: 200)"},                                   \
        {"anonymous", NULL,                                                                                  \
         "record nothing that identifies the machine, except its processor and devices "                     \
         "(results/README.md)"},                                                                             \
        {"no-times", NULL, "verify and measure, but do not time"},                                           \
        {"precision", "R", "stop when all medians are known to this relative precision (default: 0.01)"},    \
    {                                                                                                        \
        "dry-run", NULL, "list the cells and the expected time; run and write nothing"                       \
    }

/* State of --dry-run, which lists the cells and their expected time. */
typedef struct DryRun {
    const CommandLine *line;
    Forecast forecast;
} DryRun;

/* Reads the values of BENCH_LIMIT_OPTIONS and --threads into the bench. Progress and notes go to stderr.
 * With --dry-run, nothing is timed: the bench estimates the time of each cell, adds the estimate to `dry`
 * and prints the cell. `dry` must stay at the same address. */
Status bench_limits_read(const CommandLine *line, double time_budget_s, Bench *bench, DryRun *dry);

/* Prints how many cells a dry run listed, and their total time. */
Status dry_run_end(const DryRun *run);

/* --dry-run of the commands that run cells: lists them and the time they are expected to take. */
#pragma once

#include "harness/commands/command_line.h"
#include "harness/run/bench/bench.h"

/* A row of a command's options. */
#define DRY_RUN_OPTION                                                                                       \
    {                                                                                                        \
        "dry-run", NULL, "list the cells and the expected time; run and write nothing"                       \
    }

typedef struct DryRun {
    const CommandLine *line;
    Forecast forecast;
} DryRun;

/* Before bench_open: with --dry-run the bench forecasts into `run`, which must not move, and prints each
 * cell. */
void dry_run_start(const CommandLine *line, DryRun *run, Bench *bench);

/* Prints the sums. */
Status dry_run_end(const DryRun *run);

/* Shared by the commands that time skinning: their options, where their results are stored, and --dry-run. */
#pragma once

#include "datasets/io/temporary_folder.h"
#include "harness/commands/command_line.h"
#include "harness/run/suites/table_run.h"

/* Option rows for the table of a command. `time_budget` is the default time budget as a string literal. */
#define MEASURED_RUN_OPTIONS(time_budget)                                                                    \
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

/* The options of the commands that run published tables. */
#define TABLE_RUN_OPTIONS                                                                                    \
    {"data", "FOLDER",                                                                                       \
     "folder of the data sets, NAME.h5 or NAME.tar.xz (default: only generated stand-ins)"},                 \
        {"output", "RUN.jsonl",                                                                              \
         "append the results to this file; resumes an existing one (default: a file of this build in the "   \
         "user's state folder)"},                                                                            \
        MEASURED_RUN_OPTIONS("8")

/* Start with zeros; end with measured_run_end. Must stay at the same address once its options are read. */
typedef struct MeasuredRun {
    const CommandLine *line;
    Bench bench;
    Forecast forecast; /* of --dry-run; the bench points to it */
    char file[PUBLISHED_PATH_BYTES];
    TableSources sources; /* of published tables; imported archives are stored in `cache` */
    char cache[PUBLISHED_PATH_BYTES];
    TemporaryFolder *temporary; /* holds what is not kept: results, imported archives; or NULL */
} MeasuredRun;
void measured_run_end(MeasuredRun *run);

/* Reads the values of MEASURED_RUN_OPTIONS and --threads into the bench. Progress and notes go to stderr.
 * With --dry-run, nothing is timed: the bench estimates the time of each cell, and the cell is printed. */
Status measured_run_read(const CommandLine *line, double time_budget_s, MeasuredRun *run);

/* Opens the bench on its result file. Without --output, this is a file of this command and build in the
 * folder SKINBENCH_RECORDS (default: skinbench in the user's state folder, XDG_STATE_HOME or
 * ~/.local/state), so that the next run of this build continues there; a note names it. If it cannot be
 * opened, because another run uses it for example, or if SKINBENCH_RECORDS is empty, the results go to a
 * temporary folder. A --dry-run only reads the file. */
Status measured_run_open(MeasuredRun *run);

/* Does both for a command that runs tables, and checks the data of these tables in between. Imported
 * archives are stored in the folder of --output, or else in the temporary folder. */
Status measured_run_start_tables(const CommandLine *line, const PublishedTable *const *tables,
                                 int table_count, MeasuredRun *run);

/* Prints how many cells a --dry-run listed, and their total time. */
Status measured_run_print_forecast(const MeasuredRun *run);

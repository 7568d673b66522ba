/* Shared by the commands that run published tables: where to find data, where to store results, and how
 * long to time. */
#pragma once

#include "harness/commands/bench_limits.h"
#include "harness/commands/result_place.h"
#include "harness/run/suites/table_run.h"

/* Rows of a command's option table. */
#define TABLE_WORK_OPTIONS                                                                                   \
    {"data", "FOLDER",                                                                                       \
     "folder of the data sets, NAME.h5 or NAME.tar.xz (default: only generated stand-ins)"},                 \
        {"output", "RUN.jsonl",                                                                              \
         "append the results to this file; resumes an existing one (default: a file of this build in the "   \
         "user's state folder)"},                                                                            \
        BENCH_LIMIT_OPTIONS("8")

/* State of a command that runs tables. Imported archives are stored in the folder of the result file.
 * Without a result file, they are stored in a folder that is removed at the end. */
typedef struct TableWork {
    Bench bench; /* valid between table_work_start and table_work_end */
    TableSources sources;
    char cache[PUBLISHED_PATH_BYTES];
    ResultPlace place; /* its temporary folder also holds imports that are not kept */
    DryRun dry;
} TableWork;

/* Initializes `work` from the options, checks the data of all tables that will be run, and opens the bench.
 * `work` must stay at the same address until table_work_end. That function also accepts a struct of
 * zeros. */
Status table_work_start(const CommandLine *line, const PublishedTable *const *tables, int table_count,
                        TableWork *work);
void table_work_end(TableWork *work);

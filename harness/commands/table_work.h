/* What the commands that run published tables share: where data are looked for, where results go, how long to
 * time. */
#pragma once

#include "datasets/io/temporary_folder.h"
#include "harness/commands/bench_limits.h"
#include "harness/run/suites/table_run.h"

/* Rows of a command's options. */
#define TABLE_WORK_OPTIONS                                                                                   \
    {"data", "FOLDER",                                                                                       \
     "folder of the data sets, NAME.h5 or NAME.tar.xz (default: only generated stand-ins)"},                 \
        {"output", "RUN.jsonl",                                                                              \
         "append the results to this file; resumes an existing one (default: results are not kept)"},        \
        BENCH_LIMIT_OPTIONS("8")

/* Results and imported archives go beside the result file, or into a folder that is removed. */
typedef struct TableWork {
    Bench bench; /* open */
    TableSources sources;
    char file[PUBLISHED_PATH_BYTES], cache[PUBLISHED_PATH_BYTES];
    TemporaryFolder *temporary;
    DryRun dry;
} TableWork;

/* Fills in `work` from the options, checks the data of all tables that will be run, and opens its bench. End
 * with table_work_end, which takes one that was not started ({0}) too; `work` must not move in between. */
Status table_work_start(const CommandLine *line, const PublishedTable *const *tables, int table_count,
                        TableWork *work);
void table_work_end(TableWork *work);

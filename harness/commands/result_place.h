/* Where a run without --output keeps its results. */
#pragma once

#include "datasets/io/temporary_folder.h"
#include "harness/commands/command_line.h"
#include "harness/run/bench/bench.h"

enum { RESULT_PLACE_BYTES = 4096 };

/* Start with zeros; end with result_place_clear, after bench_close. */
typedef struct ResultPlace {
    char file[RESULT_PLACE_BYTES];
    TemporaryFolder *temporary; /* NULL if the results are kept */
} ResultPlace;
void result_place_clear(ResultPlace *place);

/* Opens the bench on its result file. Without --output, this is a file of this command and build in the
 * folder SKINBENCH_RECORDS (default: skinbench in the user's state folder, XDG_STATE_HOME or
 * ~/.local/state), so that the next run of this build continues there; a note names it. If it cannot be
 * opened, because another run uses it for example, or if SKINBENCH_RECORDS is empty, the results go to a
 * temporary folder. A --dry-run only reads the file. */
Status result_place_open(const CommandLine *line, ResultPlace *place, Bench *bench);

/* skinbench time-worker: one of the processes that compare --binary alternates between. */
#include "harness/commands/commands.h"

#include "harness/run/binary/binary_worker.h"
#include <stdio.h>

static Status time_worker_run(const CommandLine *line)
{
    return binary_worker_serve(stdin, stdout, command_line_progress(line));
}

const Command command_time_worker = {
    .name = "time-worker",
    .synopsis = "",
    .summary =
        "what compare --binary starts of each build: binds and times cells as asked on stdin; not for people",
    .arguments = {0, 0},
    .run = time_worker_run,
};

/* skinbench time-worker: one of the processes that compare --binary alternates between. */
#include "harness/commands/commands.h"

#include "harness/run/binary/binary_worker.h"

static Status time_worker_run(const CommandLine *line)
{
    return binary_worker_serve(stdin, stdout, &line->progress);
}

const Command command_time_worker = {
    .name = "time-worker",
    .synopsis = "",
    .summary =
        "internal: compare --binary starts it of each build, to bind and time the cells requested on stdin",
    .arguments = {0, 0},
    .takes = PRINTS_TEXT,
    .run = time_worker_run,
};

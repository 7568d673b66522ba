/* skinbench time-worker: runs one of the two processes between which compare --binary alternates. */
#include "harness/commands/commands.h"

#include "harness/run/binary/binary_worker.h"

Status time_worker_run(const CommandLine *line)
{
    return binary_worker_serve(stdin, stdout, &line->progress);
}

/* skinbench list methods|backends|datasets|tables */
#include "harness/commands/commands.h"

static Status list_run(const CommandLine *line)
{
    return status_make(STATUS_USAGE, "nothing to list under '%s'", command_line_argument(line, 0));
}

const Command command_list = {
    .name = "list",
    .synopsis = "methods|backends|datasets|tables",
    .summary = "list what this program has",
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = list_run,
};

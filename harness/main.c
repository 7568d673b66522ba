/* skinbench */
#include "datasets/io/standard_streams.h"
#include "harness/commands/commands.h"
#include "harness/measure/environment/execution.h"
#include "methods/registry.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    execution_configure(argv);
    standard_streams_reserve();
    const Status methods = registry_check();
    if (methods.code != STATUS_OK) {
        fprintf(stderr, "skinbench: %s\n", methods.text);
        return (int)methods.code;
    }
    return command_line_main(commands_all, argc, argv);
}

/* skinbench */
#include "datasets/io/stream.h"
#include "harness/commands/commands.h"
#include "harness/measure/environment/environment.h"
#include "harness/measure/environment/processors.h"
#include "methods/registry.h"

int main(int argc, char **argv)
{
    execution_configure(argv);
    standard_streams_reserve();
    /* use the kernels of an archive, unless the user names others; without an archive, use the cache */
    char kernels[PATH_MAX];
    snprintf(kernels, sizeof kernels, "%s/kernels", environment_home());
    if (access(kernels, X_OK) == 0)
        setenv("SKINBENCH_KERNELS", kernels, 0);
    const Status methods = registry_check();
    if (methods.code != STATUS_OK) {
        fprintf(stderr, "skinbench: %s\n", methods.text);
        return (int)methods.code;
    }
    return command_line_main(commands_all, argc, argv);
}

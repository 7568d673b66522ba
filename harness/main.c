/* skinbench */
#include "datasets/base/address_space.h"
#include "datasets/io/standard_streams.h"
#include "harness/commands/commands.h"
#include "harness/measure/environment/environment.h"
#include "harness/measure/environment/execution.h"
#include "methods/registry.h"

#include <limits.h>
#include <unistd.h>

/* What libraries take when they are loaded: 256 MB of it OpenBLAS, which tries forever where it
 * gets none. */
enum { LOADING_BYTES = 260 << 20 };

/* Runs before the constructors of libraries do. */
static void address_space_check(int argc, char **argv, char **environment)
{
    static const char text[] =
        "skinbench: out of memory: the limit of the address space (ulimit -v) leaves too little for the "
        "libraries, which need about 450000 KB together with the program\n";
    (void)argc;
    (void)argv;
    (void)environment;
    if (address_space_has(LOADING_BYTES))
        return;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(STATUS_SYSTEM);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = address_space_check;

int main(int argc, char **argv)
{
    execution_configure(argv);
    standard_streams_reserve();
    /* what an archive brings, unless the user names another; without it, the cache */
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

/* skinbench */
#include "datasets/base/address_space.h"
#include "datasets/io/stream.h"
#include "harness/commands/commands.h"
#include "harness/measure/environment/environment.h"
#include "harness/measure/environment/processors.h"
#include "methods/registry.h"

extern char **environ;

/* Runs before the constructors of all libraries, when the C library does not know the environment yet. Ends
 * the program if a limit of its address space is too small for the libraries: OpenBLAS would try forever to
 * allocate two buffers and one for each thread, and constructors of C++ libraries would abort. If a command
 * uses threads, starts the program again with its settings, before libraries spend time on starting. */
static void libraries_prepare(int count, char **arguments, char **environment)
{
    const size_t BUFFER_BYTES = 128 << 20, OTHER_BYTES = 64 << 20;
    const Command *command = count > 1 ? command_find(commands_all, arguments[1]) : NULL;
    environ = environment;
    const char *given = getenv("OMP_NUM_THREADS");
    const long threads = given && atoi(given) > 0 ? atoi(given) : sysconf(_SC_NPROCESSORS_ONLN);
    if (!address_space_has((2 + (size_t)threads) * BUFFER_BYTES + OTHER_BYTES)) {
        fprintf(stderr,
                "skinbench: the limit of the address space (ulimit -v) is too small for %ld threads\n",
                threads);
        _exit(STATUS_SYSTEM);
    }
    if (command && command->takes & TAKES_THREADS)
        execution_configure(arguments);
}

__attribute__((section(".preinit_array"), used)) static __typeof__(&libraries_prepare) const prepare =
    libraries_prepare;

int main(int argc, char **argv)
{
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

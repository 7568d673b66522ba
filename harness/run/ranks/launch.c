/* Detects a launch from the environment and loads the plugin that connects its processes. */
#include "harness/run/ranks/launch.h"

#include "harness/run/ranks/ranks_plugin.h"
#include "methods/runtime/backends/dynamic.h"

#include <unistd.h>

static const char plugin_file[] = "skinbench_mpi.so", plugin_packages[] = "openmpi-bin and libopenmpi-dev";

/* Environment variables in which each launcher tells a process its rank and the number of processes. */
static const struct {
    const char *rank, *size;
} variables[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
    {"PMI_RANK", "PMI_SIZE"},                         /* MPICH and MPI libraries derived from it */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, /* srun; a batch script itself has no SLURM_STEP_NUM_TASKS */
};

/* Returns the rank or, if `rank` is false, the number of processes, from the launcher's environment
 * variable. Returns `min` if there is no such variable. */
static int launcher_number(bool rank, int min)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *own_rank = getenv(variables[i].rank), *all = getenv(variables[i].size);
        if (own_rank && all) {
            const long number = strtol(rank ? own_rank : all, NULL, 10);
            return number < min ? min : (int)int64_min(number, INT_MAX);
        }
    }
    return min;
}

int launch_size(void)
{
    return launcher_number(false, 1);
}

int launch_rank(void)
{
    return launcher_number(true, 0);
}

/* Loads the plugin from the program's own folder if it runs from a build, otherwise from the folder where
 * plugins are installed. */
static Status plugin_load(const RanksPlugin **out)
{
    typedef struct RanksExports {
        const RanksPlugin *(*plugin)(void);
    } RanksExports;
    const DynamicRow rows[] = {{RANKS_PLUGIN_SYMBOL, offsetof(RanksExports, plugin)}, {NULL, 0}};
    char program[PATH_MAX], built[PATH_MAX + 32], installed[PATH_MAX + 96];
    void *library = NULL;
    RanksExports exports = {NULL};
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *end = strrchr(program, '/');
    *(end ? end : program) = '\0';
    snprintf(built, sizeof built, "%s/%s", program, plugin_file);
    snprintf(installed, sizeof installed, "%s/%s/%s", program, SKINBENCH_LIBRARY_FROM_PROGRAM, plugin_file);
    *out = NULL;
    STATUS_TRY(dynamic_open((const char *const[]){built, installed, NULL}, plugin_file, &library));
    STATUS_TRY(dynamic_load(library, plugin_file, rows, &exports));
    const RanksPlugin *plugin = exports.plugin();
    if (plugin->abi != RANKS_PLUGIN_ABI)
        return status_make(STATUS_UNAVAILABLE, "%s was built for a different version of skinbench",
                           plugin_file);
    *out = plugin;
    return status_ok();
}

Status launch_join(Launch *launch)
{
    const int count = launch_size();
    *launch = (Launch){.ranks = {.count = 1}};
    if (count == 1)
        return status_ok();
    Status status = plugin_load(&launch->plugin);
    if (status.code != STATUS_OK) {
        if (status.code != STATUS_UNAVAILABLE)
            return status;
        return status_make(
            STATUS_UNAVAILABLE,
            "%d processes were launched together, but %s; build skinbench with MPI (packages %s)", count,
            status.text, plugin_packages);
    }
    ALLOCATE(launch->ranks.counts, count, "the processes that were launched together");
    ALLOCATE(launch->ranks.firsts, count, "the processes that were launched together");
    ALLOCATED(launch->plugin->start(&launch->ranks), "the processes that were launched together");
    if (launch->ranks.count == count)
        return status_ok();
    char library[RANKS_PLUGIN_TEXT_BYTES];
    launch->plugin->describe(library);
    return status_make(STATUS_UNAVAILABLE,
                       "%d processes were launched together, but %s, with which %s was built, sees only %d; "
                       "launch them with its mpirun, or with srun --mpi=pmix",
                       count, library, plugin_file, launch->ranks.count);
}

void launch_finalize(Launch *launch)
{
    if (launch->plugin)
        launch->plugin->finish();
    FREE_ALL(launch->ranks.counts, launch->ranks.firsts);
    *launch = (Launch){.ranks = {.count = 1}};
}

void launch_end_all(const Launch *launch, int exit_code)
{
    if (launch->plugin && launch->ranks.sum)
        launch->plugin->end_all(exit_code);
}

Status launch_probe(char *text, size_t size)
{
    const RanksPlugin *plugin = NULL;
    char library[RANKS_PLUGIN_TEXT_BYTES];
    Status status = plugin_load(&plugin);
    if (status.code == STATUS_UNAVAILABLE)
        return status_make(
            status.code,
            "processes cannot share a fit, because skinbench was built without MPI (packages %s)",
            plugin_packages);
    if (status.code == STATUS_OK) {
        plugin->describe(library);
        snprintf(text, size, "%s", library);
    }
    return status;
}

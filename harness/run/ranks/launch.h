/* The processes that a launcher (mpirun, srun) has started together. All of them end with the same exit
 * code. They are connected by a shared object that is loaded only for this purpose (ranks_plugin.h). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

/* The state of a launch. {0} means that this process is alone. */
typedef struct Launch {
    Ranks ranks;
    const struct RanksPlugin *plugin;
} Launch;

/* Returns the number of processes in the launch, according to the environment; 1 without a launcher. */
int launch_size(void);

/* Returns the rank of this process, according to the environment; 0 without a launcher. */
int launch_rank(void);

/* Joins the other processes, if there are any. STATUS_UNAVAILABLE if the shared object is missing, or if it
 * was built for another MPI than the launcher's. Without the second check, the processes would not know of
 * each other and would overwrite each other's output. */
Status launch_join(Launch *launch);

/* Ends the use of MPI. All ranks must call it after success. */
void launch_finalize(Launch *launch);

/* Ends all processes of the launch. Returns only if this process is alone. */
void launch_end_all(const Launch *launch, int exit_code);

/* Writes the name of the MPI implementation used to distribute a fit over several processes. The message of
 * STATUS_UNAVAILABLE says what is missing. */
Status launch_probe(char *text, size_t size);

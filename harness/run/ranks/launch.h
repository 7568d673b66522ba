/* The processes that a launcher (mpirun, srun) has started together, and how they end: all of them with one
 * exit code. A shared object that is loaded for it connects them (ranks_plugin.h). */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

/* What there is of a launch; zero: this process is alone. */
typedef struct Launch {
    Ranks ranks;
    const struct RanksPlugin *plugin;
} Launch;

/* How many processes a launcher says in the environment that it has started together; 1 without one. */
int launch_size(void);

/* Which of them this is, as the environment has it; 0 without one. */
int launch_rank(void);

/* Joins the others, where there are any. STATUS_UNAVAILABLE: the shared object is missing, or belongs to
 * another MPI than the launcher: processes that do not know of each other would overwrite each other's
 * output. */
Status launch_join(Launch *launch);

/* By all ranks, at the end of what went well. */
void launch_finalize(Launch *launch);

/* Ends all processes of the launch: does not return unless this one is alone. */
void launch_end_all(const Launch *launch, int exit_code);

/* Which MPI fits are shared over, or what is missing: STATUS_UNAVAILABLE. */
Status launch_probe(char *text, size_t size);

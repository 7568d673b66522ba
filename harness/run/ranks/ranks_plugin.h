/* What a shared object offers that connects the processes of a launch; skinbench_mpi does, with the MPI it
 * was built for. The program loads it only where a launcher has started it (launch.h), so it depends on no
 * MPI. */
#pragma once

#include "datasets/base/ranks.h"

#define RANKS_PLUGIN_SYMBOL "skinbench_ranks_plugin"
enum { RANKS_PLUGIN_ABI = 1, RANKS_PLUGIN_TEXT_BYTES = 160 };

typedef struct RanksPlugin {
    int abi; /* RANKS_PLUGIN_ABI */
    /* "Open MPI v4.1.4": the library that it stands on; before start, too. */
    void (*describe)(char text[RANKS_PLUGIN_TEXT_BYTES]);
    /* Joins the launch, and fills in all but the workspaces of gather. False: there is no memory, or MPI does
     * not start. */
    bool (*start)(Ranks *ranks);
    void (*finish)(void);           /* by all ranks */
    void (*end_all)(int exit_code); /* ends every process of the launch, does not return */
} RanksPlugin;

/* The one function that a plugin exports, by RANKS_PLUGIN_SYMBOL. */
const RanksPlugin *skinbench_ranks_plugin(void);

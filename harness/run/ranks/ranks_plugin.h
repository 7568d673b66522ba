/* Interface of a shared object that connects the processes of a launch. skinbench_mpi implements it for the
 * MPI with which it was built. The program itself does not depend on MPI: it loads the plugin only if a
 * launcher has started it (launch.h). */
#pragma once

#include "datasets/base/ranks.h"

#define RANKS_PLUGIN_SYMBOL "skinbench_ranks_plugin"
enum { RANKS_PLUGIN_ABI = 1, RANKS_PLUGIN_TEXT_BYTES = 160 };

typedef struct RanksPlugin {
    int abi; /* RANKS_PLUGIN_ABI */
    /* Writes a description of the underlying library: "Open MPI v4.1.4". May be called before start. */
    void (*describe)(char text[RANKS_PLUGIN_TEXT_BYTES]);
    /* Joins the launch and fills in everything except the workspaces of gather. Returns false if out of
     * memory or if MPI does not start. */
    bool (*start)(Ranks *ranks);
    void (*finish)(void);           /* called by all ranks */
    void (*end_all)(int exit_code); /* ends every process of the launch and does not return */
} RanksPlugin;

/* The only function that a plugin exports, under the name RANKS_PLUGIN_SYMBOL. */
const RanksPlugin *skinbench_ranks_plugin(void);

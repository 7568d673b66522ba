/* What a number was measured with: commit, compiler, libraries, processor, devices. */
#ifndef SKINBENCH_ENVIRONMENT_ENVIRONMENT_H
#define SKINBENCH_ENVIRONMENT_ENVIRONMENT_H

#include "datasets/base/status.h"
#include <jansson.h>

/* A new object with `commit`, `dirty`, `version`, `build_type`, `compiler`, `flags`, `libraries`, `system`,
 * `cpu` {model, cores, caches, levels, governor}, `threads`, `memory_bytes`, `devices` {opencl, cuda} and
 * `hash`. What this machine does not tell is null. For json_decref.
 *
 * `hash` covers all but `commit`, `dirty` and `version`: two commits measured on one machine with one
 * compiler have the same hash, and only their times may be compared. */
Status environment_describe(int threads, json_t **out);

/* Folder of the project's own data (results/published, scripts/plots): $SKINBENCH_HOME where that is set,
 * else the source tree this program was built from. */
const char *environment_home(void);

#endif

/* The peer that is always available: linear blend skinning in the straightforward way, compiled for the
 * best instruction-set level of this machine. It answers how much faster skinbench is than a loop one would
 * write. */
#pragma once

#include "harness/run/peers/peer.h"

typedef struct PeerFunctionsLevel {
    const char *level;
    const PeerFunctions *object;
} PeerFunctionsLevel;

/* plain_loop.c at every level of this build, NULL-terminated (generated). */
extern const PeerFunctionsLevel plain_loop_levels[];

/* The functions of the best level; NULL if this processor supports none. */
const PeerFunctions *plain_loop_peer(void);

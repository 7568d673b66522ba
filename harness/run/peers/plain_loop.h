/* The peer that is always there: linear blend skinning as one writes it who looks no further, compiled for
 * the best instruction-set level of this machine. "How much faster than what I would write." */
#pragma once

#include "harness/run/peers/peer.h"

typedef struct PeerFunctionsLevel {
    const char *level;
    const PeerFunctions *object;
} PeerFunctionsLevel;

/* plain_loop.c at every level that the program was built for, NULL-terminated (generated). */
extern const PeerFunctionsLevel plain_loop_levels[];

/* That of the best level; NULL: this processor has none of them. */
const PeerFunctions *plain_loop_peer(void);

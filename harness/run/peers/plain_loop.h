/* The peer that is always available: linear blend skinning written in the straightforward way and compiled
 * for the best instruction-set level of this machine. It shows how much faster skinbench is than such a
 * loop. */
#pragma once

#include "harness/run/peers/peer.h"

typedef struct PeerFunctionsLevel {
    const char *level;
    const PeerFunctions *object;
} PeerFunctionsLevel;

/* The plain loop, compiled for every instruction-set level of this build. The list is NULL-terminated and
 * generated. */
extern const PeerFunctionsLevel plain_loop_levels[];

/* Returns the functions of the best level that this processor supports; NULL if it supports none. */
const PeerFunctions *plain_loop_peer(void);

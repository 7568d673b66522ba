/* A public program that fits (peers/fit_peer.h) in the place of a decomposition method: its model is checked,
 * posed and measured as every other, and its time is taken by the same clock. It is in no registry, and no
 * run of cells has it. */
#pragma once

#include "methods/fitting/decomposition_method.h"

/* The peer `name` as a method, whose title is what the library says of itself. STATUS_USAGE: none is known by
 * it; STATUS_UNAVAILABLE: it is not built, and the message says how. */
Status peer_fit_method(const char *name, const DecompositionMethod **out);

/* Wraps a public fitting program (peers/fit_peer.h) as a decomposition method. Its model is checked, posed,
 * measured and timed like any other. It is not in the registry, and benchmark runs do not include it. */
#pragma once

#include "methods/fitting/decomposition_method.h"

/* Returns the peer `name` as a method, whose title its library reports. STATUS_USAGE if the peer is
 * unknown. STATUS_UNAVAILABLE if the peer has not been built; the message says how to build it. */
Status peer_fit_method(const char *name, const DecompositionMethod **out);

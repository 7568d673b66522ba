/* Peers that a user built: found by name, and loaded. */
#pragma once

#include "datasets/base/base.h"
#include "harness/run/peers/fit_peer.h"
#include "harness/run/peers/peer.h"

/* Loads the peer `name`: NAME.so in the folder that SKINBENCH_PEERS names, or else in skinbench/peers of the
 * user's data folder (XDG_DATA_HOME, ~/.local/share), where scripts/build-peer puts it; a name with a / in it
 * is a path. STATUS_UNAVAILABLE says where it was looked for. Stays loaded until the program ends. */
Status peer_load(const char *name, const PeerFunctions **out);

/* The same of a peer that fits (fit_peer.h). */
Status fit_peer_load(const char *name, const FitPeerFunctions **out);

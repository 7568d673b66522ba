/* Finds and loads peers that a user has built. */
#pragma once

#include "datasets/base/base.h"
#include "harness/run/peers/fit_peer.h"
#include "harness/run/peers/peer.h"

/* Loads the peer `name` from NAME.so in the folder SKINBENCH_PEERS or, if that is not set, in
 * skinbench/peers of the user's data folder (XDG_DATA_HOME, ~/.local/share), where scripts/build-peer puts
 * it. A name with a / is a path. The message of STATUS_UNAVAILABLE says where the program looked. The
 * library stays loaded until the program ends. */
Status peer_load(const char *name, const PeerFunctions **out);

/* Loads a peer that fits bones and weights (fit_peer.h). */
Status fit_peer_load(const char *name, const FitPeerFunctions **out);

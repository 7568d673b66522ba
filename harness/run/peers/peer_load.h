/* Finds and loads peers that a user has built. */
#pragma once

#include "datasets/base/base.h"
#include "harness/run/peers/peer.h"

enum { PEER_PATH_BYTES = 4096 };

/* Writes the path of the file NAME.ENDING in the folder that the environment variable names or, if that is
 * not set, in skinbench/KIND of the user's data folder (XDG_DATA_HOME, ~/.local/share). A name with a / or
 * the ending is a path. Returns false if the path is too long. */
bool user_file_path(const char *name, const char *variable, const char *kind, const char *ending,
                    char path[PEER_PATH_BYTES]);

/* Loads the peer `name` from NAME.so (user_file_path) in SKINBENCH_PEERS or in the folder `peers`, where
 * scripts/build-peer puts it. The message of STATUS_UNAVAILABLE says where the program looked. The
 * library stays loaded until the program ends. */
Status peer_load(const char *name, const PeerFunctions **out);

/* Finds the shared libraries of other programs (peers) by name and loads them. Each library exports one
 * table of functions. */
#include "harness/run/peers/peer_load.h"

#include "datasets/base/parameters.h"
#include "methods/runtime/backends/dynamic.h"
#include <unistd.h>

enum { PEER_PATH_BYTES = 4096 };

static bool peer_path(const char *name, char path[PEER_PATH_BYTES])
{
    const char *folder = getenv("SKINBENCH_PEERS"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int size = 0;
    if (strchr(name, '/'))
        size = snprintf(path, PEER_PATH_BYTES, "%s", name);
    else if (folder && folder[0] != '\0')
        size = snprintf(path, PEER_PATH_BYTES, "%s/%s.so", folder, name);
    else if (data && data[0] == '/')
        size = snprintf(path, PEER_PATH_BYTES, "%s/skinbench/peers/%s.so", data, name);
    else
        size =
            snprintf(path, PEER_PATH_BYTES, "%s/.local/share/skinbench/peers/%s.so", home ? home : "", name);
    return size > 0 && size < PEER_PATH_BYTES;
}

/* Loads the table that a library exports under `symbol`. Every such table begins with the version of its
 * interface. */
static Status peer_open(const char *name, const char *symbol, int abi, const void **out)
{
    typedef struct Table {
        int abi;
        const char *name;
    } Table;
    typedef struct Exports {
        const void *(*peer)(void);
    } Exports;
    const DynamicRow rows[] = {{symbol, offsetof(Exports, peer)}, {NULL, 0}};
    char path[PEER_PATH_BYTES], what[64];
    void *library = NULL;
    Exports exports = {NULL};
    *out = NULL;
    if (!peer_path(name, path))
        return bad_usage("--peer %.64s: the path is too long", name);
    if (access(path, R_OK) != 0)
        return status_make(
            STATUS_UNAVAILABLE,
            "the peer %.64s has not been built (%s does not exist); run scripts/build-peer %.64s SOURCES",
            name, path, name);
    snprintf(what, sizeof what, "the peer %.48s", name);
    STATUS_TRY(dynamic_open((const char *const[]){path, NULL}, what, &library));
    STATUS_TRY(dynamic_load(library, what, rows, &exports));
    const Table *table = exports.peer();
    if (!table || table->abi != abi)
        return status_make(STATUS_UNAVAILABLE,
                           "%s was built for a different version of skinbench; rebuild %s", what, path);
    if (!name_is_plain(table->name)) /* refuse a name that a result file could not store */
        return status_make(
            STATUS_UNAVAILABLE,
            "%s has the name '%.48s', but a name may contain only lower-case letters, digits and hyphens",
            what, table->name ? table->name : "");
    *out = table;
    return status_ok();
}

Status peer_load(const char *name, const PeerFunctions **out)
{
    const void *table = NULL;
    const Status status = peer_open(name, PEER_SYMBOL, PEER_ABI, &table);
    *out = table;
    return status;
}

Status fit_peer_load(const char *name, const FitPeerFunctions **out)
{
    const void *table = NULL;
    const Status status = peer_open(name, FIT_PEER_SYMBOL, FIT_PEER_ABI, &table);
    *out = table;
    return status;
}

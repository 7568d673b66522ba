/* Finds the shared libraries of other programs (peers) by name and loads them. Each library exports one
 * table of functions. */
#include "harness/run/peers/peer_load.h"

#include "datasets/base/parameters.h"
#include "datasets/io/atomic_path.h"
#include "methods/runtime/backends/dynamic.h"
#include <unistd.h>

bool user_file_path(const char *name, const char *variable, const char *kind, const char *ending,
                    char path[PEER_PATH_BYTES])
{
    const char *folder = getenv(variable), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int size = 0;
    if (strchr(name, '/') || path_ends(name, ending))
        size = snprintf(path, PEER_PATH_BYTES, "%s", name);
    else if (folder && folder[0] != '\0')
        size = snprintf(path, PEER_PATH_BYTES, "%s/%s%s", folder, name, ending);
    else if (data && data[0] == '/')
        size = snprintf(path, PEER_PATH_BYTES, "%s/skinbench/%s/%s%s", data, kind, name, ending);
    else
        size = snprintf(path, PEER_PATH_BYTES, "%s/.local/share/skinbench/%s/%s%s", home ? home : "", kind,
                        name, ending);
    return size > 0 && size < PEER_PATH_BYTES;
}

Status peer_load(const char *name, const PeerFunctions **out)
{
    typedef struct Exports {
        const PeerFunctions *(*peer)(void);
    } Exports;
    const DynamicRow rows[] = {{PEER_SYMBOL, offsetof(Exports, peer)}, {NULL, 0}};
    char path[PEER_PATH_BYTES], what[64];
    void *library = NULL;
    Exports exports = {NULL};
    *out = NULL;
    if (!user_file_path(name, "SKINBENCH_PEERS", "peers", ".so", path))
        return bad_usage("--peer %.64s: the path is too long", name);
    if (access(path, R_OK) != 0)
        return status_make(
            STATUS_UNAVAILABLE,
            "the peer %.64s has not been built (%s does not exist); run scripts/build-peer %.64s SOURCES",
            name, path, name);
    snprintf(what, sizeof what, "the peer %.48s", name);
    STATUS_TRY(dynamic_open((const char *const[]){path, NULL}, what, &library));
    STATUS_TRY(dynamic_load(library, what, rows, &exports));
    const PeerFunctions *table = exports.peer();
    if (!table || table->abi != PEER_ABI)
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

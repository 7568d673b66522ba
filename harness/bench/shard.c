#include "harness/bench/shard.h"

#include <stdio.h>
#include <stdlib.h>

Status shard_parse(const char *text, Shard *out)
{
    int end = 0;
    const int read = sscanf(text, "%6d/%6d%n", &out->index, &out->count, &end);
    return read == 2 && text[end] == '\0' && out->index >= 1 && out->index <= out->count &&
                   out->count <= SHARDS_MAX
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--shard is '%.64s', expected I/N with I from 1 to N, N at most %d", text,
                             SHARDS_MAX);
}

Status shard_holds(const Shard *shard, const Cell *cell, bool *out)
{
    char digest[CELL_DIGEST_BYTES];
    Cell any_threads = *cell;
    any_threads.threads = 0;
    *out = shard->count == 0;
    if (*out)
        return status_ok();
    const Status status = cell_digest(&any_threads, digest);
    if (status.code == STATUS_OK)
        *out = strtoull(digest, NULL, 16) % (unsigned long long)shard->count + 1 ==
               (unsigned long long)shard->index;
    return status;
}

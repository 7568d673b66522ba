#include "harness/run/bench/shard.h"

#include <ctype.h>

/* Digits at `text`, and what is behind them; a number beyond the most there may be is that and one more. */
static int number_read(const char *text, const char **end)
{
    int number = 0;
    for (; isdigit((unsigned char)*text); text++)
        number = number > SHARDS_MAX ? number : 10 * number + (*text - '0');
    *end = text;
    return number;
}

Status shard_parse(const char *text, Shard *out)
{
    const char *end = NULL;
    out->index = number_read(text, &end);
    out->count = *end == '/' ? number_read(end + 1, &end) : 0;
    return *end == '\0' && out->index >= 1 && out->index <= out->count && out->count <= SHARDS_MAX
               ? status_ok()
               : bad_usage("--shard is '%.64s', expected I/N with I from 1 to N, N at most %d", text,
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
    STATUS_TRY(cell_digest(&any_threads, digest));
    *out =
        strtoull(digest, NULL, 16) % (unsigned long long)shard->count + 1 == (unsigned long long)shard->index;
    return status_ok();
}

/* The part of a run's cells that one machine of several does. By a hash of the cell's key, so that machines
 * need to agree on nothing but their number: each cell is run by exactly one. The key's threads do not count,
 * as a machine's default is its cores. */
#pragma once

#include "harness/records/record/cell.h"

enum { SHARDS_MAX = 100000 };

/* index 1 to count; {0}: all cells. */
typedef struct Shard {
    int index, count;
} Shard;

/* Reads "I/N", digits alone. STATUS_USAGE says what is expected. */
Status shard_parse(const char *text, Shard *out);

/* Whether the shard runs the cell. STATUS_SYSTEM: out of memory. */
Status shard_holds(const Shard *shard, const Cell *cell, bool *out);

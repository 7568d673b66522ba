#include "harness/run/peers/plain_loop.h"

#include "methods/runtime/simd_levels.h"
#include <stddef.h>
#include <string.h>

const PeerFunctions *plain_loop_peer(void)
{
    const char *levels[SIMD_LEVELS_MAX];
    const int count = simd_levels_here(levels);
    for (const PeerFunctionsLevel *row = plain_loop_levels; row->level && count > 0; row++)
        if (strcmp(row->level, levels[count - 1]) == 0)
            return row->object;
    return NULL;
}

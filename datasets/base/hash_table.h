/* Includes uthash with this project's allocator. If memory runs out, uthash sets the member `refused` of
 * the entry that it could not add. */
#pragma once

#include "datasets/base/memory.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) memory_array(1, (size))
#define uthash_free(pointer, size) memory_free(pointer)
#define uthash_nonfatal_oom(entry) ((entry)->refused = true)
#include <uthash.h>

/* Frees all entries of a table whose entries own nothing. */
#define HASH_FREE_ENTRIES(type, table)                                                                       \
    for (type *freed = (table), *after = NULL; freed; freed = after) {                                       \
        after = freed->hh.next;                                                                              \
        HASH_DEL(table, freed);                                                                              \
        memory_free(freed);                                                                                  \
    }

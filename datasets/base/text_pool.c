#include "datasets/base/text_pool.h"

#include "datasets/base/hash_table.h"

#include <stdbool.h>

typedef struct PooledText {
    bool refused;
    UT_hash_handle hh;
    char text[];
} PooledText;

Status text_pool_keep(TextPool *pool, const char *text, const char **out)
{
    PooledText *entry = NULL;
    const size_t length = strlen(text);
    HASH_FIND(hh, pool->texts, text, length, entry);
    if (!entry) {
        OWNED PooledText *added = memory_array(sizeof *added + length + 1, 1);
        ALLOCATED(added, "a text");
        memcpy(added->text, text, length + 1);
        HASH_ADD_KEYPTR(hh, pool->texts, added->text, length, added);
        ALLOCATED(!added->refused, "a text");
        entry = TAKE(added);
    }
    *out = entry->text;
    return status_ok();
}

void text_pool_clear(TextPool *pool)
{
    HASH_FREE_ENTRIES(PooledText, pool->texts)
}

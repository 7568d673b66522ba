/* A pool that stores each of many shared texts once, for as long as the pool lives. */
#pragma once

#include "datasets/base/status.h"

/* Starts as {NULL}; release with text_pool_clear. */
typedef struct TextPool {
    struct PooledText *texts;
} TextPool;

/* Returns the pool's copy of a text; equal texts give the same pointer. Fails if out of memory. */
Status text_pool_keep(TextPool *pool, const char *text, const char **out);
void text_pool_clear(TextPool *pool);

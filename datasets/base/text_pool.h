/* A pool that stores every distinct text once. The texts live as long as the pool. */
#pragma once

#include "datasets/base/status.h"

/* Initialise with {NULL}; release with text_pool_clear. */
typedef struct TextPool {
    struct PooledText *texts;
} TextPool;

/* Returns the pool's copy of a text; equal texts give the same pointer. Fails if out of memory. */
Status text_pool_keep(TextPool *pool, const char *text, const char **out);
void text_pool_clear(TextPool *pool);

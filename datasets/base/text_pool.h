/* Texts that many things share: each is kept once, as long as the pool. */
#pragma once

#include "datasets/base/status.h"

/* Starts as {NULL}; release with text_pool_clear. */
typedef struct TextPool {
    struct PooledText *texts;
} TextPool;

/* The pool's copy of a text: the same pointer for equal texts. Fails when out of memory. */
Status text_pool_keep(TextPool *pool, const char *text, const char **out);
void text_pool_clear(TextPool *pool);

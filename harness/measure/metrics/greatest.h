/* The greatest of many values that arrive in blocks, of which only those are kept that are asked for in the
 * end, on one rank or over several. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

typedef struct Greatest {
    float *values; /* [2 kept] */
    size_t kept, count;
    float bound; /* no value up to it is needed any more */
} Greatest;

/* For the `kept` greatest; STATUS_SYSTEM: out of memory. Release with greatest_clear. */
Status greatest_init(Greatest *greatest, size_t kept);
void greatest_clear(Greatest *greatest);

/* Values that are not negative. */
void greatest_add(Greatest *greatest, const float *values, size_t count);

/* The from_top-th greatest of all that were added, by all ranks (NULL: alone), 1 for the greatest; at most
 * `kept` of any rank's. Reorders the values. */
float greatest_from_top(Greatest *greatest, const Ranks *ranks, size_t from_top);

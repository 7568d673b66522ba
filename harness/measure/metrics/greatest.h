/* Finds the largest of many values that arrive in blocks, on one rank or several. Stores only the values
 * that can be among the largest. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

typedef struct Greatest {
    float *values; /* [2 kept] */
    size_t kept, count;
    float bound; /* values up to this bound are no longer needed */
} Greatest;

/* Prepares to find the `kept` largest values. STATUS_SYSTEM if out of memory. Release with
 * greatest_clear. */
Status greatest_init(Greatest *greatest, size_t kept);
void greatest_clear(Greatest *greatest);

/* Adds values, which must not be negative. */
void greatest_add(Greatest *greatest, const float *values, size_t count);

/* Returns the from_top-th largest of all values added by all ranks (NULL: one). 1 means the largest;
 * from_top is at most `kept`. Reorders the values. */
float greatest_from_top(Greatest *greatest, const Ranks *ranks, size_t from_top);

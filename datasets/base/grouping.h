/* Groups of items in compressed rows (CSR), and disjoint sets that find connected items. */
#pragma once

#include "datasets/base/status.h"
#include <stddef.h>
#include <stdint.h>

/* The members of group g are members[first[g]] to members[first[g + 1] - 1]. */
typedef struct Grouping {
    int group_count;
    int64_t *first;   /* [group_count + 1] */
    int32_t *members; /* [first[group_count]] item numbers, ascending within each group */
} Grouping;

/* Groups items 0 to item_count - 1 by a counting sort. The group of each item is in group_of [item_count];
 * values must be below group_count, and a negative value means no group. STATUS_SYSTEM if there are more
 * than INT32_MAX items or if out of memory; the message names `what`, and *out is empty. Release with
 * grouping_clear. */
Status grouping_init(const int32_t *group_of, size_t item_count, int group_count, const char *what,
                     Grouping *out);
void grouping_clear(Grouping *grouping);

/* Disjoint sets (union-find with path halving) over parents [count]. The root of a set is its smallest
 * item, so the result does not depend on the order of the unions. */
static inline void union_find_init(int32_t *parents, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        parents[i] = i;
}

static inline int32_t union_find_root(int32_t *parents, int32_t item)
{
    while (parents[item] != item) {
        parents[item] = parents[parents[item]];
        item = parents[item];
    }
    return item;
}

static inline void union_find_union(int32_t *parents, int32_t one, int32_t other)
{
    one = union_find_root(parents, one);
    other = union_find_root(parents, other);
    parents[one > other ? one : other] = one > other ? other : one;
}

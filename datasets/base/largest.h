/* The largest of many values, each with the item that it is of; of the least, the values are given negated.
 */
#pragma once

#include <stdint.h>

/* Puts a value among the `held` largest, in descending order; among equals the earlier stays before. Returns
 * how many there are then, at most `max`. */
static inline int largest_insert(double value, int32_t item, int held, int max, double *values,
                                 int32_t *items)
{
    int at = held < max ? held : max - 1;
    if (held == max && values[at] >= value)
        return held;
    for (; at > 0 && values[at - 1] < value; at--) {
        values[at] = values[at - 1];
        items[at] = items[at - 1];
    }
    values[at] = value;
    items[at] = item;
    return held < max ? held + 1 : held;
}

/* The lesser and the greater of two numbers, numbers within bounds, and the largest of many. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* `value`, or the end of least to most that it is beyond. */
static inline int int_clamp(int value, int min, int max)
{
    return int_min(int_max(value, min), max);
}

static inline int64_t int64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* `value`, or the end of least to most that it is beyond; a NaN stays one. */
static inline double double_clamp(double value, double min, double max)
{
    if (value < min)
        return min;
    return value > max ? max : value;
}

/* Puts a value, with the item that it is of, among the `held` largest, in descending order; among equals the
 * earlier stays before. Returns how many there are then, at most `max`. Of the least, values are given
 * negated. */
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

/* Minimum, maximum and clamp of numbers, sorting, and the largest few of many values. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* Clamps `value` to [min, max]. */
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

/* Clamps `value` to [min, max]; NaN stays NaN. */
static inline double double_clamp(double value, double min, double max)
{
    if (value < min)
        return min;
    return value > max ? max : value;
}

static inline int double_compare(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static inline int int32_compare(const void *a, const void *b)
{
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

/* Sorts values [count] in ascending order; none may be NAN. */
static inline void values_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, double_compare);
}

/* Inserts a value and its item into a list of the largest values so far, in descending order. `held` is the
 * length of the list. Equal values keep the order of insertion. Returns the new length, at most `max`. To
 * find the smallest values, pass them negated. */
static inline int largest_insert(double value, int32_t item, int held, int max, double *values,
                                 int32_t *items)
{
    int slot = held < max ? held : max - 1;
    if (held == max && values[slot] >= value)
        return held;
    for (; slot > 0 && values[slot - 1] < value; slot--) {
        values[slot] = values[slot - 1];
        items[slot] = items[slot - 1];
    }
    values[slot] = value;
    items[slot] = item;
    return held < max ? held + 1 : held;
}

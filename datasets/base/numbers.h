/* The lesser and the greater of two numbers, and numbers within bounds. */
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

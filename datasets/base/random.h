/* Seeded random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014, Fast Splittable
 * Pseudorandom Number Generators). Enough for test data, shuffling, resampling and sketches; not for
 * secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state; /* starts as the seed */
} Random;

/* 64 random bits. */
static inline uint64_t random_next(Random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Goes on as after `count` times random_next. */
static inline void random_skip(Random *random, uint64_t count)
{
    random->state += count * UINT64_C(0x9e3779b97f4a7c15);
}

/* Uniform in [0, 1): 53 bits. */
static inline double random_unit(Random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Uniform in [-1, 1): 53 bits. */
static inline double random_signed(Random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-52 - 1.0;
}

/* Uniform below `bound` (at least 1), without the bias of a plain remainder: numbers are drawn until one
 * falls into a whole multiple of the bound. */
static inline size_t random_below(Random *random, size_t bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value = random_next(random);
    while (value >= limit)
        value = random_next(random);
    return (size_t)(value % bound);
}

/* A random order of 0 .. count - 1 (Fisher and Yates, inside out), into order [count]. */
static inline void random_order(Random *random, int count, int *order)
{
    for (int i = 0; i < count; i++) {
        int j = (int)random_below(random, (size_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Seeded random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014, Fast
 * Splittable Pseudorandom Number Generators). Good enough for test data, shuffling, resampling and
 * sketches, but not for secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state; /* initially the seed */
} Random;

/* Returns 64 random bits. */
static inline uint64_t random_next(Random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Advances the state as if random_next had been called `count` times. */
static inline void random_skip(Random *random, uint64_t count)
{
    random->state += count * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns a uniform number in [0, 1) with 53 random bits. */
static inline double random_unit(Random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* Returns a uniform number in [-1, 1) with 53 random bits. */
static inline double random_signed(Random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-52 - 1.0;
}

/* Returns a uniform integer from 0 to `bound` - 1; `bound` must be at least 1. To avoid bias, numbers at or
 * above the largest multiple of the bound are drawn again. */
static inline size_t random_below(Random *random, size_t bound)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value = random_next(random);
    while (value >= limit)
        value = random_next(random);
    return (size_t)(value % bound);
}

/* Writes a random permutation of 0 to count - 1 (Fisher and Yates, inside out) to order [count]. */
static inline void random_order(Random *random, int count, int *order)
{
    for (int i = 0; i < count; i++) {
        int j = (int)random_below(random, (size_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Seeded numbers that are the same everywhere (splitmix64 of Steele, Lea and Flood, 2014). */
#ifndef SKINBENCH_GENERATE_RANDOM_H
#define SKINBENCH_GENERATE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state; /* start with the seed */
} Random;

/* Uniform in [0, 1). */
static inline double random_unit(Random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* 0 up to 0, 1 from 1 on, smooth between: 3 x^2 - 2 x^3. */
static inline double smooth_step(double x)
{
    x = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return x * x * (3.0 - 2.0 * x);
}

#endif

/* Loops that run one kind of instruction as fast as a processor can at an instruction-set level.
 * limit_loops.c is compiled for each level. */
#pragma once

#include "datasets/base/base.h"

typedef struct LimitLoops {
    int lanes;  /* floats per vector */
    bool fused; /* whether the level has fused multiply-add */
    /* Each function runs its loop `turns` times and returns the number of instructions of its kind. */
    double (*products)(long turns); /* vector multiplications, or multiply-adds where they exist */
    double (*sums)(long turns);     /* vector additions */
    double (*mixed)(long turns);    /* vector multiplications and additions in equal number, which do not wait
                                       for each other */
    double (*loads)(const float *data, long turns); /* vector loads from data [LIMIT_LOADS * lanes] */
    void (*copy)(float *restrict to, const float *restrict from,
                 size_t count);                         /* copies floats; count must be a multiple of 64 */
    void (*fill)(float *to, size_t count, float value); /* likewise */
} LimitLoops;

enum { LIMIT_LOADS = 16, LIMIT_LANES_MAX = 16 };

typedef struct LimitLoopsLevel {
    const char *level;
    const LimitLoops *object;
} LimitLoopsLevel;

/* The loops at the level "scalar" and at all levels of this build, lowest first, NULL-terminated
 * (generated). */
extern const LimitLoopsLevel limit_loops_levels[];

/* Runs `count` additions, each of which waits for the one before, to measure the cycle time. */
void limit_cycles(long count);

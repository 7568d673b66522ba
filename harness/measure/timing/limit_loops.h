/* Loops that do one thing as fast as a processor can at an instruction-set level: limit_loops.c, compiled for
 * each. */
#pragma once

#include "datasets/base/base.h"

typedef struct LimitLoops {
    int lanes;  /* floats of a vector */
    bool fused; /* a multiplication and an addition are one instruction */
    /* Each does `turns` turns of its loop, and returns how many instructions of their kind it was. */
    double (*arithmetic)(long turns); /* vector multiply-adds, or as many multiplications as additions */
    double (*loads)(const float *data, long turns); /* vector loads, from data [LIMIT_LOADS * lanes] */
    void (*copy)(float *restrict to, const float *restrict from, size_t count); /* count: a multiple of 64 */
    void (*fill)(float *to, size_t count, float value);                         /* likewise */
} LimitLoops;

enum { LIMIT_LOADS = 16, LIMIT_LANES_MAX = 16 };

typedef struct LimitLoopsLevel {
    const char *level;
    const LimitLoops *object;
} LimitLoopsLevel;

/* All levels that the program was built for, least first, NULL-terminated (generated). */
extern const LimitLoopsLevel limit_loops_levels[];

/* As many additions, each of which waits for the one before: what a cycle is. */
void limit_cycles(long count);

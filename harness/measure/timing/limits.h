/* What this machine can do at most, measured in the run whose times are compared with it: multiply-adds and
 * loads of vectors at each instruction-set level, and bytes per second at each level of the memory. A limit
 * is the best of several measurements between the rounds of what is compared with it (limits_measure keeps
 * the greater), and of nothing else. */
#pragma once

#include "harness/measure/timing/bandwidth.h"
#include "methods/runtime/simd_levels.h"

typedef enum MemoryLevel { MEMORY_L1, MEMORY_L2, MEMORY_L3, MEMORY_DRAM, MEMORY_LEVEL_COUNT } MemoryLevel;

/* "L1", "L2", "L3", "DRAM". */
extern const char *const memory_level_names[MEMORY_LEVEL_COUNT + 1]; /* NULL-terminated */

typedef struct Limits {
    double cycles_per_s;
    /* Of one thread, by the level's number in limit_loops_levels; 0: this machine cannot run it. */
    double arithmetic_per_s[SIMD_LEVELS_MAX], loads_per_s[SIMD_LEVELS_MAX]; /* vector instructions */
    /* Read and written by one thread, and by all; below L1 a byte that is written counts twice, as its line
     * is fetched before and written back later. Of DRAM the triad's (bandwidth.h), so counted. 0: not
     * measured. */
    double one_thread[MEMORY_LEVEL_COUNT], all_threads[MEMORY_LEVEL_COUNT];
    double cache_bytes[MEMORY_DRAM]; /* capacity; 0: there is none, or unknown */
    int threads;                     /* how many all_threads was measured with */
} Limits;

/* Measures, some 50 ms, and keeps the greater of what `limits` (zero at first) has; `memory`: of this run. */
Status limits_measure(int threads, const Bandwidth *memory, Limits *limits);

/* Seconds that writing this many bytes takes at least: of them as many as a level can hold are written there,
 * the rest below it. L1 and L2 are each of the threads' own. `threads` is 1, or as many as all_threads was
 * measured with. */
double limits_written_s(const Limits *limits, int threads, double bytes);

/* The least level that this many bytes fit in. */
MemoryLevel limits_level_of(const Limits *limits, double bytes);

/* The number of a level in the arrays above, its vectors' lanes, and whether it fuses; -1: there is none of
 * that name. */
int limits_simd_level(const char *name, int *lanes, bool *fused);

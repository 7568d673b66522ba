/* The limits of this machine, measured in the same run as the times that are compared with them: vector
 * multiply-adds and loads at each instruction-set level, and bytes per second at each level of the memory.
 * A limit is the best of several measurements between the rounds of the times (limits_measure keeps the
 * larger). */
#pragma once

#include "harness/measure/timing/bandwidth.h"
#include "methods/runtime/simd_levels.h"

typedef enum MemoryLevel { MEMORY_L1, MEMORY_L2, MEMORY_L3, MEMORY_DRAM, MEMORY_LEVEL_COUNT } MemoryLevel;

/* "L1", "L2", "L3", "DRAM". */
extern const char *const memory_level_names[MEMORY_LEVEL_COUNT + 1]; /* NULL-terminated */

typedef struct Limits {
    double cycles_per_s;
    /* Vector instructions of one thread, indexed as limit_loops_levels; 0 if this machine cannot run the
     * level. */
    double arithmetic_per_s[SIMD_LEVELS_MAX], loads_per_s[SIMD_LEVELS_MAX]; /* vector instructions */
    /* Bytes read and written per second by one thread, and by all. Below L1 a written byte counts twice,
     * because its line is fetched before and written back later. The values of DRAM come from the triad
     * (bandwidth.h), counted in the same way. 0 if not measured. */
    double one_thread[MEMORY_LEVEL_COUNT], all_threads[MEMORY_LEVEL_COUNT];
    double cache_bytes[MEMORY_DRAM]; /* capacity; 0 if there is no such cache or it is unknown */
    int threads;                     /* how many all_threads was measured with */
} Limits;

/* Measures for about 50 ms and raises the values in `limits` (zero at first) where the new ones are larger.
 * `memory` must be of the same run. */
Status limits_measure(int threads, const Bandwidth *memory, Limits *limits);

/* Lower bound of the seconds to write this many bytes: each level takes as many as it holds, and the rest
 * goes to the levels below. Each thread has its own L1 and L2. `threads` is 1 or the number that
 * all_threads was measured with. */
double limits_written_s(const Limits *limits, int threads, double bytes);

/* The fastest level in which this many bytes fit. */
MemoryLevel limits_level_of(const Limits *limits, double bytes);

/* Index of a level in the arrays above, its number of lanes, and whether it has fused multiply-add; -1 if
 * there is none of that name. */
int limits_simd_level(const char *name, int *lanes, bool *fused);

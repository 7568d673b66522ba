/* The limits of this machine, measured in the same run as the times that are compared with them: vector
 * arithmetic and loads at each instruction-set level, and bytes per second at each level of the memory.
 * Limits are measured several times between the rounds of the times, and limits_measure keeps the highest
 * values. */
#pragma once

#include "harness/measure/timing/bandwidth.h"
#include "methods/runtime/simd_levels.h"

typedef enum MemoryLevel { MEMORY_L1, MEMORY_L2, MEMORY_L3, MEMORY_DRAM, MEMORY_LEVEL_COUNT } MemoryLevel;

/* Names of the memory levels: "L1", "L2", "L3", "DRAM". */
extern const char *const memory_level_names[MEMORY_LEVEL_COUNT + 1]; /* NULL-terminated */

typedef struct Limits {
    double cycles_per_s;
    /* Vector instructions per second of one thread, indexed like limit_loops_levels; 0 if this machine
     * cannot run the level. */
    double products_per_s[SIMD_LEVELS_MAX]; /* multiplications, or multiply-adds where they exist */
    double sums_per_s[SIMD_LEVELS_MAX];     /* additions */
    double mixed_per_s[SIMD_LEVELS_MAX];    /* both together */
    double loads_per_s[SIMD_LEVELS_MAX];
    /* Bytes read and written per second by one thread, and by all threads. Below L1 a written byte counts
     * twice, because its cache line is first read and later written back. The values of DRAM come from the
     * triad (bandwidth.h), counted in the same way. 0 if not measured. */
    double one_thread[MEMORY_LEVEL_COUNT], all_threads[MEMORY_LEVEL_COUNT];
    double cache_bytes[MEMORY_DRAM]; /* capacity of each cache; 0 if it does not exist or is unknown */
    int threads;                     /* number of threads for all_threads */
} Limits;

/* Measures for about 50 ms, and raises the values in `limits` (zero at first) to the new ones if those are
 * larger. `memory` must have been measured in the same run. */
Status limits_measure(int threads, const Bandwidth *memory, Limits *limits);

/* Returns a lower bound of the seconds to write this many bytes. Each level takes as many bytes as fit, and
 * the remaining bytes go to the levels below. Each thread has its own L1 and L2. `threads` must be 1 or the
 * member `threads`. */
double limits_written_s(const Limits *limits, int threads, double bytes);

/* Returns a lower bound of the seconds that one thread takes for vector additions and multiplications at a
 * level. Where multiply-adds exist, as many additions as possible are assumed to be fused. Processors may
 * add and multiply at the same time. */
double limits_arithmetic_s(const Limits *limits, int level, double additions, double multiplications);

/* Returns the fastest level in which this many bytes fit. */
MemoryLevel limits_level_of(const Limits *limits, double bytes);

/* Returns the index of the instruction-set level with this name in the arrays above, or -1 if there is
 * none. *lanes receives the level's number of lanes. */
int limits_simd_level(const char *name, int *lanes);

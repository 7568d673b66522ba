/* Measures the machine's limits. Each measurement is the best of several short ones. */
#include "harness/measure/timing/limits.h"

#include "harness/measure/environment/processors.h"
#include "harness/measure/timing/limit_loops.h"

const char *const memory_level_names[MEMORY_LEVEL_COUNT + 1] = {"L1", "L2", "L3", "DRAM", NULL};

enum { REPEATS = 4 };
static const double REPEAT_S = 3e-4;

static void limits_raise(double *limit, double seen)
{
    if (seen > *limit)
        *limit = seen;
}

void limit_cycles(long count)
{
    unsigned long sum = 1, step = 1;
    __asm__ volatile("" : "+r"(step));
    for (long i = 0; i < count; i += 16) {
        /* Without unrolling, a processor that takes one jump per cycle would need more cycles than there are
         * additions. */
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) {
            sum += step;
            __asm__ volatile("" : "+r"(sum)); /* dependent additions of a value unknown to the compiler */
        }
    }
}

/* Returns the highest rate of a loop per second. The number of turns is doubled until the loop runs long
 * enough. */
static double rate_of(double (*turn)(void *context, long turns), void *context)
{
    double best = 0.0;
    long turns = 1;
    for (int repeat = 0; repeat < REPEATS;) {
        const double start = clock_now_s();
        const double done = turn(context, turns), elapsed_s = clock_now_s() - start;
        if (elapsed_s < REPEAT_S) {
            turns *= 2;
            continue;
        }
        best = fmax(best, done / elapsed_s);
        repeat++;
    }
    return best;
}

static double turn_cycles(void *context, long turns)
{
    (void)context;
    limit_cycles(16 * turns);
    return 16.0 * (double)turns;
}

static double turn_products(void *context, long turns)
{
    return ((const LimitLoops *)context)->products(turns);
}

static double turn_sums(void *context, long turns)
{
    return ((const LimitLoops *)context)->sums(turns);
}

static double turn_mixed(void *context, long turns)
{
    return ((const LimitLoops *)context)->mixed(turns);
}

static double turn_loads(void *context, long turns)
{
    static const _Alignas(64) float data[LIMIT_LOADS * LIMIT_LANES_MAX] = {0.0f};
    const LimitLoops *loops = context;
    return loops->loads(data, turns);
}

/* Arrays that fit into one level of the memory, one per thread. */
typedef struct CacheStream {
    const LimitLoops *loops;
    float *data;  /* [threads][count] */
    size_t count; /* number of floats per thread, a multiple of 128 */
    int threads;
    double written_bytes; /* number of bytes moved through this memory level for each byte that the loop
                             writes */
} CacheStream;

static double turn_fill(void *context, long turns)
{
    const CacheStream *stream = context;
#pragma omp parallel for schedule(static) num_threads(stream->threads) if (stream->threads > 1)
    for (int thread = 0; thread < stream->threads; thread++)
        for (long turn = 0; turn < turns; turn++)
            stream->loops->fill(stream->data + (size_t)thread * stream->count, stream->count, (float)turn);
    return stream->written_bytes * sizeof(float) * (double)stream->count * stream->threads * (double)turns;
}

static double turn_copy(void *context, long turns)
{
    const CacheStream *stream = context;
    const size_t half = stream->count / 2;
#pragma omp parallel for schedule(static) num_threads(stream->threads) if (stream->threads > 1)
    for (int thread = 0; thread < stream->threads; thread++) {
        float *part = stream->data + (size_t)thread * stream->count;
        for (long turn = 0; turn < turns; turn++)
            stream->loops->copy(turn % 2 ? part : part + half, turn % 2 ? part + half : part, half);
    }
    return (1.0 + stream->written_bytes) * sizeof(float) * (double)half * stream->threads * (double)turns;
}

/* Returns the size in bytes of the array with which a cache is measured. For L1 and L2 it is half of the
 * cache. For L3 it is four times the L2 cache, but at most half of the L3 cache. */
static double stream_bytes(const Limits *limits, MemoryLevel level)
{
    const double *caches = limits->cache_bytes;
    return level == MEMORY_L3 ? fmin(0.5 * caches[MEMORY_L3], 4.0 * caches[MEMORY_L2]) : 0.5 * caches[level];
}

static Status caches_measure(const LimitLoops *loops, int threads, Limits *limits)
{
    const double max =
        stream_bytes(limits, MEMORY_L3) + stream_bytes(limits, MEMORY_L2) + stream_bytes(limits, MEMORY_L1);
    LOCAL_ARRAY(float, data, (size_t)max *(size_t)threads / sizeof(float) + 128, "measuring the caches");
    for (int level = MEMORY_L1; level < MEMORY_DRAM; level++)
        for (int all = 0; all < (threads > 1 ? 2 : 1); all++) {
            const int sharing = level == MEMORY_L3 && all ? threads : 1;
            CacheStream stream = {
                .loops = loops,
                .data = data,
                .count =
                    (size_t)(stream_bytes(limits, (MemoryLevel)level) / sizeof(float) / sharing) / 128 * 128,
                .threads = all ? threads : 1,
                .written_bytes = level == MEMORY_L1 ? 1.0 : 2.0};
            double *rates = all ? limits->all_threads : limits->one_thread;
            if (stream.count > 0)
                limits_raise(&rates[level], fmax(rate_of(turn_fill, &stream), rate_of(turn_copy, &stream)));
        }
    return status_ok();
}

Status limits_measure(int threads, const Bandwidth *memory, Limits *limits)
{
    const LimitLoops *best = NULL;
    limits->threads = threads;
    for (int level = MEMORY_L1; level < MEMORY_DRAM; level++)
        limits->cache_bytes[level] = (double)cache_bytes("", 1 + level - MEMORY_L1);
    limits_raise(&limits->cycles_per_s, rate_of(turn_cycles, NULL));
    for (int i = 0; limit_loops_levels[i].level; i++) {
        const char *levels[SIMD_LEVELS_MAX], *level = limit_loops_levels[i].level;
        bool runs_here = strcmp(level, "scalar") == 0;
        for (int k = simd_levels_here(levels); k-- > 0;)
            runs_here |= strcmp(level, levels[k]) == 0;
        if (!runs_here)
            continue;
        best = limit_loops_levels[i].object;
        limits_raise(&limits->products_per_s[i], rate_of(turn_products, (void *)best));
        limits_raise(&limits->sums_per_s[i], rate_of(turn_sums, (void *)best));
        limits_raise(&limits->mixed_per_s[i], rate_of(turn_mixed, (void *)best));
        limits_raise(&limits->mixed_per_s[i], fmax(limits->products_per_s[i], limits->sums_per_s[i]));
        limits_raise(&limits->loads_per_s[i], rate_of(turn_loads, (void *)best));
    }
    /* The triad reads two arrays and writes one. Its measured bandwidth counts a written byte once, so a
     * pass moves 3 arrays. Here a written byte counts twice, so a pass moves 4 arrays. */
    limits_raise(&limits->one_thread[MEMORY_DRAM], 4.0 / 3.0 * memory->one_thread);
    limits_raise(&limits->all_threads[MEMORY_DRAM], 4.0 / 3.0 * memory->all_threads);
    return best ? caches_measure(best, threads, limits) : status_ok();
}

double limits_written_s(const Limits *limits, int threads, double bytes)
{
    const double *rates = threads > 1 ? limits->all_threads : limits->one_thread;
    double seconds = 0.0;
    for (int level = MEMORY_L1; level < MEMORY_DRAM; level++) {
        const double holds = limits->cache_bytes[level] * (level == MEMORY_L3 ? 1 : threads);
        const double here = rates[level] > 0.0 ? fmin(bytes, holds) : 0.0;
        if (here > 0.0)
            seconds += here * (level == MEMORY_L1 ? 1.0 : 2.0) / rates[level];
        bytes -= here;
    }
    return seconds + 2.0 * bytes / rates[MEMORY_DRAM];
}

double limits_arithmetic_s(const Limits *limits, int level, double additions, double multiplications)
{
    const double fused = limit_loops_levels[level].object->fused ? fmin(additions, multiplications) : 0.0;
    return fmax(fmax(multiplications / limits->products_per_s[level],
                     (additions - fused) / limits->sums_per_s[level]),
                (additions + multiplications - fused) / limits->mixed_per_s[level]);
}

MemoryLevel limits_level_of(const Limits *limits, double bytes)
{
    int level = MEMORY_L1;
    while (level < MEMORY_DRAM && bytes > limits->cache_bytes[level])
        level++;
    return (MemoryLevel)level;
}

int limits_simd_level(const char *name, int *lanes)
{
    for (int i = 0; limit_loops_levels[i].level; i++)
        if (strcmp(limit_loops_levels[i].level, name) == 0) {
            *lanes = limit_loops_levels[i].object->lanes;
            return i;
        }
    return -1;
}

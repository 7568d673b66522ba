/* _DEFAULT_SOURCE declares madvise, which is not POSIX but exists on some systems. */
#define _DEFAULT_SOURCE
#include "harness/measure/timing/bandwidth.h"

#include "harness/measure/environment/processors.h"
#include <sys/mman.h>

enum { REPEATS = 5 };

enum { HUGE_PAGE_BYTES = 2 << 20 };

/* Allocates memory in huge pages if the system grants them. With small pages, the TLB would limit the speed
 * rather than the bandwidth. */
static double *array_make(size_t bytes)
{
    void *memory = aligned_alloc(HUGE_PAGE_BYTES, bytes);
#ifdef MADV_HUGEPAGE
    if (memory)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

static double triad_best_s(double *a, const double *b, const double *c, long count, int threads)
{
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double scale = 1.0 + repeat, start = clock_now_s();
#pragma omp parallel for schedule(static) num_threads(threads)
        for (long i = 0; i < count; i++)
            a[i] = b[i] + scale * c[i];
        best = fmin(best, clock_now_s() - start);
    }
    return best;
}

Status bandwidth_measure(int threads, Bandwidth *out)
{
    /* If the kernel lists no caches, the size that the processor tells a virtual machine is often the sum of
     * all caches of the host. A program there has at most the cache of a few cores. */
    const double listed = (double)cache_bytes_everywhere("", 3);
    const double cache = listed > 0.0 ? listed : fmin((double)cache_bytes("", 3), 96e6);
    /* If the arrays together are more than twice as large as the caches, reading them from end to end never
     * hits a cache. Larger arrays would only take more time. */
    double bytes = cache > 0.0 ? fmin(fmax(0.75 * cache, 4e6), 512e6) : 32e6;
    size_t size = ((size_t)bytes / HUGE_PAGE_BYTES + 1) * HUGE_PAGE_BYTES;
    double *a = array_make(3 * size);
    /* A memory limit may leave too little room for arrays of that size; array_bytes reports the size that
     * was measured. */
    while (!a && size > 2 * (size_t)HUGE_PAGE_BYTES) {
        size = size / 2 / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        a = array_make(3 * size);
    }
    if (!a)
        return status_out_of_memory("measuring the memory bandwidth");
    const long count = (long)(size / sizeof(double));
    double *b = a + count, *c = b + count;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long i = 0; i < count; i++) {
        a[i] = 0.0;
        b[i] = 1.0;
        c[i] = 2.0;
    }
    double moved = 24.0 * (double)count;
    *out = (Bandwidth){.one_thread = moved / triad_best_s(a, b, c, count, 1),
                       .all_threads = moved / triad_best_s(a, b, c, count, threads),
                       .threads = threads,
                       .array_bytes = 8.0 * (double)count};
    free(a);
    return status_ok();
}

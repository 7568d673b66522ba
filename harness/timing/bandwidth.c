#include "harness/timing/bandwidth.h"

#include "datasets/base/memory.h"
#include "harness/timing/clock.h"
#include <math.h>
#include <unistd.h>

enum { REPEATS = 7 };

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
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    double bytes = fmin(fmax(2.0 * (double)cache, 64e6), 512e6);
    long count = (long)(bytes / sizeof(double));
    double *a = memory_array((size_t)count, sizeof *a);
    double *b = memory_array((size_t)count, sizeof *b);
    double *c = memory_array((size_t)count, sizeof *c);
    Status status = status_ok();
    if (!a || !b || !c) {
        status = status_out_of_memory("measuring the memory bandwidth");
    } else {
        double moved = 24.0 * (double)count;
        *out = (Bandwidth){.one_thread = moved / triad_best_s(a, b, c, count, 1),
                           .all_threads = moved / triad_best_s(a, b, c, count, threads),
                           .threads = threads,
                           .array_bytes = 8.0 * (double)count};
    }
    memory_free(a);
    memory_free(b);
    memory_free(c);
    return status;
}

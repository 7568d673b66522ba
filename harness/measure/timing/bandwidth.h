/* Measures the memory bandwidth of this machine, in the same run as the times that are compared with it:
 * the triad a[i] = b[i] + s c[i] of STREAM (McCalpin 1995), on arrays that together are more than twice the
 * last-level cache. */
#pragma once

#include "datasets/base/base.h"

typedef struct Bandwidth {
    double one_thread,
        all_threads;    /* bytes per second, 24 per element as in STREAM; the best of several measurements */
    int threads;        /* number of threads for all_threads */
    double array_bytes; /* size of each of the three arrays */
} Bandwidth;

Status bandwidth_measure(int threads, Bandwidth *out);

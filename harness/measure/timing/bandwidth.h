/* The memory bandwidth of this machine, measured in the run whose times it is compared with: the triad
 * a[i] = b[i] + s c[i] of STREAM (McCalpin 1995) on arrays that together are more than twice the last-level
 * cache. */
#pragma once

#include "datasets/base/base.h"

typedef struct Bandwidth {
    double one_thread, all_threads; /* bytes per second: 24 per element, as STREAM counts; best of several */
    int threads;                    /* how many all_threads was measured with */
    double array_bytes;             /* of each of the three arrays */
} Bandwidth;

Status bandwidth_measure(int threads, Bandwidth *out);

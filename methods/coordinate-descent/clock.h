/* The clock of a fit: monotonic, in seconds. */
#ifndef SKINBENCH_COORDINATE_DESCENT_CLOCK_H
#define SKINBENCH_COORDINATE_DESCENT_CLOCK_H

#include <time.h>

static inline double fit_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

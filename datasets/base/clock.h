/* The clock all times are read from: monotonic, in seconds. */
#ifndef SKINBENCH_BASE_CLOCK_H
#define SKINBENCH_BASE_CLOCK_H

#include <time.h>

static inline double clock_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

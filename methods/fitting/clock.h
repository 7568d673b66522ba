/* The clock fits are timed by: monotonic, in seconds. */
#ifndef SKINBENCH_FITTING_CLOCK_H
#define SKINBENCH_FITTING_CLOCK_H

#include <time.h>

static inline double fit_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

/* The two clocks for all measured times, in seconds: a monotonic clock, and the processor time of the
 * calling thread, which does not advance while other threads use the processor. */
#pragma once

#include <time.h>

static inline double clock_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double clock_thread_s(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

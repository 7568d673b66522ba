/* How long work reports how far it is, and is asked to stop. */
#ifndef SKINBENCH_BASE_PROGRESS_H
#define SKINBENCH_BASE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    /* Called with what is going on and the share done, 0 to 1. Returns false to ask for a stop. May be NULL. */
    bool (*report)(void *context, const char *what, double share);
    void *context;
} Progress;

/* Reports where there is a function to. `progress` may be NULL. Returns false when the work should stop. */
static inline bool progress_report(const Progress *progress, const char *what, double share)
{
    return !progress || !progress->report || progress->report(progress->context, what, share);
}

#endif

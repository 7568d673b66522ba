/* How long work tells how far it is, and learns that it should stop. */
#ifndef SKINBENCH_BASE_PROGRESS_H
#define SKINBENCH_BASE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    /* Told what is going on and the share done, 0 to 1. Returns false to ask for a stop. NULL: nobody
     * listens. */
    bool (*report)(void *context, const char *what, double share);
    void *context;
} Progress;

/* Reports if somebody listens. `progress` may be NULL. Returns false when the work should stop. */
static inline bool progress_report(const Progress *progress, const char *what, double share)
{
    return !progress || !progress->report || progress->report(progress->context, what, share);
}

#endif

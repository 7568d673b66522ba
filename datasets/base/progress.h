/* How long work reports its progress, and learns that it should stop. */
#ifndef SKINBENCH_BASE_PROGRESS_H
#define SKINBENCH_BASE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    /* Takes what is being done and the share done, 0 to 1; returns false to ask for a stop. May be NULL. */
    bool (*report)(void *context, const char *what, double share);
    void *context;
} Progress;

/* Reports, where there is somewhere to report to: `progress` may be NULL. Returns false when the work should stop. */
static inline bool progress_report(const Progress *progress, const char *what, double share)
{
    return !progress || !progress->report || progress->report(progress->context, what, share);
}

#endif

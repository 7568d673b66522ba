/* Lets long work report its progress and find out whether it should stop. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Progress {
    /* Called with a description of the current work and the fraction done, from 0 to 1. If `what` is NULL,
     * the call only asks whether to stop. Returns false if the work should stop. May be NULL. */
    bool (*report)(void *context, const char *what, double share);
    void *context;
} Progress;

/* Reports progress if there is a callback. `progress` may be NULL. Returns false if the work should
 * stop. */
static inline bool progress_report(const Progress *progress, const char *what, double share)
{
    return !progress || !progress->report || progress->report(progress->context, what, share);
}

/* Whether the work should stop. For work that is too short or too frequent to report progress. */
static inline bool progress_stopped(const Progress *progress)
{
    return !progress_report(progress, NULL, 0.0);
}

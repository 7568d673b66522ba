/* Lets long work report its progress and find out whether it should stop. */
#pragma once

#include "datasets/base/status.h"
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

/* Reports progress for work that writes nothing if it stops. Returns STATUS_STOPPED if it should; the message
 * names `work`, or `what` if `work` is NULL. */
static inline Status progress_try(const Progress *progress, const char *what, double share, const char *work)
{
    if (progress_report(progress, what, share))
        return status_ok();
    return status_make(STATUS_STOPPED, "stopped while %s; nothing is written", work ? work : what);
}

/* Whether the work should stop. For work that is too short or too frequent to report progress. */
static inline bool progress_stopped(const Progress *progress)
{
    return !progress_report(progress, NULL, 0.0);
}

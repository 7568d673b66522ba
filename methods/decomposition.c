#include "methods/decomposition.h"

const char *fit_end_name(FitEnd end)
{
    static const char *const names[] = {
        [FIT_COMPLETE] = "complete",     [FIT_ITERATION_CAP] = "iteration-cap",
        [FIT_TIME_LIMIT] = "time-limit", [FIT_STOPPED] = "stopped",
        [FIT_EXACT] = "exact",
    };
    return names[end];
}

/* Options of the advice: which poses, budget and reference the comparison uses. */
#pragma once

#include "datasets/base/progress.h"

#include <stdint.h>

typedef struct AdviseOptions {
    bool own_poses; /* use only the file's own poses */
    double
        budget; /* advise a method that takes at most this many times the cost of lbs; INFINITY: no limit */
    /* Reference for errors: a method, "file" for the file's own shapes, or "elastic" (elastic_shape.h).
     * With a reference, cheaper variants of some methods are compared as well. NULL: none. */
    const char *reference;
    uint64_t seed;
    int threads;     /* number of methods skinned and judged in parallel; while one is timed, no other runs */
    double timing_s; /* duration of the timing rounds */
    const Progress *progress; /* may be NULL */
} AdviseOptions;

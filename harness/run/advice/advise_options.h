/* Options of the advice: which poses, budget and reference the comparison uses. */
#pragma once

#include "datasets/base/progress.h"

#include <stdint.h>

typedef struct AdviseOptions {
    bool own_poses; /* use only the file's own poses */
    double budget;  /* largest cost relative to lbs; INFINITY: no limit */
    /* The reference for errors: a method, "file" for the file's own shapes, or "elastic" (elastic_shape.h).
     * Cheaper variants of some methods are then compared, too. NULL: none. */
    const char *reference;
    uint64_t seed;
    int threads;     /* methods skinned and judged in parallel; times are always taken one at a time */
    double timing_s; /* duration of the timing rounds */
    const Progress *progress; /* may be NULL */
} AdviseOptions;

/* What methods are compared in, with and by. */
#pragma once

#include "datasets/base/progress.h"

#include <stdint.h>

typedef struct AdviseOptions {
    bool own_poses; /* alone */
    double budget;  /* times the cost of lbs; INFINITY: any */
    /* A method, "file" for the file's own shapes, or "elastic" (elastic_shape.h): errors are against it, and
     * variants of some methods that cost less are compared too. NULL: none. */
    const char *reference;
    uint64_t seed;
    int threads;     /* methods that are skinned and judged side by side; times are taken one by one */
    double timing_s; /* of the rounds in which methods are timed */
    const Progress *progress; /* may be NULL */
} AdviseOptions;

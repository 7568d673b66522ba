/* Measures every direct method on one rig, in its own poses and a gauntlet, on simd and one thread each. */
#pragma once

#include "datasets/base/progress.h"
#include "harness/records/advice/advice.h"

typedef struct AdviseOptions {
    bool own_poses; /* alone */
    double budget;  /* times the cost of lbs; INFINITY: any */
    /* A method, or "file" for the file's own shapes: errors are against it, and variants of some methods that
     * cost less are compared too. NULL: none. */
    const char *reference;
    uint64_t seed;
    int threads;     /* methods that are skinned and judged side by side; times are taken one by one */
    double timing_s; /* of the rounds in which methods are timed */
    const Progress *progress; /* may be NULL */
} AdviseOptions;

/* Fills `out`, whose mesh borrows the data set's rest pose. A method that refuses the rig has its reason.
 * STATUS_BAD_INPUT where there is no rig, no skin or no pose; STATUS_UNAVAILABLE where lbs is not built in.
 * Release with advice_clear. */
Status advise(const Dataset *dataset, const AdviseOptions *options, Advice *out);

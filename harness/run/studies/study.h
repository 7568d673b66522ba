/* Studies: small computations of their own that a table's rows are filled by, for what is neither a fit nor a
 * time of skinning: a bound and where it is reached, instructions of a compiled kernel, volume along a bend.
 * One file per study, a name for each in records/papers/study_names.h. */
#pragma once

#include "harness/run/studies/study_input.h"

typedef struct Study {
    const char *title; /* one line */
    /* Adds what it measures: numbers, times as such, and curves for figures. A number that is not finite is
     * null in a record. STATUS_UNAVAILABLE where something it needs is not here and STATUS_BAD_INPUT for a
     * data set it does not take: the row is skipped, with that reason. */
    Status (*run)(const StudyInput *input, Measures *measures);
} Study;

/* NULL: there is none of that name. */
const Study *study_find(const char *name);

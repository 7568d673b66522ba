/* The name that was meant by one that is not there. */
#pragma once

#include "datasets/base/status.h"

/* Start with {.given = name}, offer every name that would have been right; names are to outlive it. */
typedef struct NearestName {
    const char *given;
    const char *best; /* NULL: none is near */
    int edits;        /* letters to insert, drop, replace, or swap with the next one */
} NearestName;

/* A name is near when at most a third of its letters, and one at least, would have to be edited, or when
 * three letters or more of its beginning were given. */
void nearest_name_add_candidate(NearestName *nearest, const char *name);

/* Adds "; did you mean 'walk'?" to a failure, where a name is near. */
Status nearest_name_suggest(const NearestName *nearest, Status status);

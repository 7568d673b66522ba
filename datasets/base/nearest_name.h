/* Finds the valid name that a user probably meant by an unknown one. */
#pragma once

#include "datasets/base/status.h"

/* Start with {.given = name} and offer every valid name. The names must outlive this struct. */
typedef struct NearestName {
    const char *given;
    const char *best; /* closest valid name; NULL if none is near */
    int edits;        /* number of letters to insert, delete, replace, or swap with the next one */
} NearestName;

/* Offers a valid name. A name is near if at most a third of its letters, or one letter, must be edited, or
 * if at least its first three letters were given. */
void nearest_name_add_candidate(NearestName *nearest, const char *name);

/* Appends "; did you mean 'walk'?" to a failure if a name is near. */
Status nearest_name_suggest(const NearestName *nearest, Status status);

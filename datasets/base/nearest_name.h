/* Finds the valid name that a user probably meant by an unknown name. */
#pragma once

#include "datasets/base/status.h"

/* Initialise with {.given = name}, then offer every valid name. The names must outlive this struct. */
typedef struct NearestName {
    const char *given;
    const char *best; /* most similar valid name; NULL if none is similar */
    int edits; /* number of edits between the two names: insertions, deletions, replacements, and swaps of
                  adjacent letters */
} NearestName;

/* Offers a valid name. It is similar to the given name if at most a third of its letters, or one letter,
 * must be edited. It is also similar if it begins with the given name, and the given name has at least
 * three letters. */
void nearest_name_add_candidate(NearestName *nearest, const char *name);

/* Appends a suggestion, such as "; did you mean 'walk'?", to the text of a failure if a valid name is
 * similar. */
Status nearest_name_suggest(const NearestName *nearest, Status status);

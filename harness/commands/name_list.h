/* Options that take several names with commas between them. */
#pragma once

#include "harness/commands/command_line.h"

typedef struct NameList {
    char text[512];
    const char *names[32];
    int count;
} NameList;

/* Splits "a,b"; a comma followed by a space is part of a name ("skirt, 10 bones"). Nothing given: an empty
 * list.
 */
Status names_split(const CommandLine *line, const char *option, NameList *list);

/* Whether a name is in the list; an empty one has all. */
bool names_hold(const NameList *list, const char *name);

/* STATUS_USAGE names the first that is no method. */
Status methods_check(const NameList *methods);

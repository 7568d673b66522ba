/* Options that take one of several words, and options that take comma-separated names. */
#pragma once

#include "harness/commands/command_line.h"

/* Reads an option whose placeholder in the help lists its values, as "y|z" does. *choice is the number of
 * the value in this list; it does not change if the option is absent. */
Status option_choice(const CommandLine *line, const char *option, int *choice);

typedef struct NameList {
    char text[512];
    const char *names[32];
    int count;
} NameList;

/* Splits a value such as "a,b" at its commas. A comma followed by a space is part of a name ("skirt, 10
 * bones"). If the option is not given, the list is empty. */
Status names_split(const CommandLine *line, const char *option, NameList *list);

/* Whether the list contains a name. An empty list contains all names. */
bool names_hold(const NameList *list, const char *name);

/* Checks that all names are methods. Fails with STATUS_USAGE naming the first one that is not. */
Status methods_check(const NameList *methods);

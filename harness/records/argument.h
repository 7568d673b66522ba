/* What the parameters of a cell were given: numbers, flags and words by name, and for studies lists and groups
 * of such. A group is a tree of owned values; a copy is deep. */
#ifndef SKINBENCH_RECORDS_ARGUMENT_H
#define SKINBENCH_RECORDS_ARGUMENT_H

#include "datasets/base/parameters.h"
#include "datasets/base/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum ArgumentKind {
    ARGUMENT_GROUP, /* of named items, in order; {0} is an empty one */
    ARGUMENT_LIST,  /* of items without names */
    ARGUMENT_NULL,
    ARGUMENT_FLAG,
    ARGUMENT_INTEGER,
    ARGUMENT_REAL,
    ARGUMENT_TEXT
} ArgumentKind;

typedef struct Argument {
    ArgumentKind kind;
    char *name; /* in its group; NULL in a list */
    char *text;
    double number; /* of a flag 0 or 1 */
    struct Argument *items;
    int count;
} Argument;

void argument_clear(Argument *argument); /* leaves an empty group */
Status argument_copy(const Argument *from, Argument *out);

/* Adds a number or a flag to a group, or replaces the item of that name. */
Status argument_set_number(Argument *group, const char *name, ArgumentKind kind, double number);

/* A new group of all parameters with their values. */
Status arguments_of(const Parameter *rows, int count, const ParameterValues *values, Argument *out);

/* Puts the items of `over` over those of `group`, by name. */
Status argument_update(Argument *group, const Argument *over);

/* The item of that name; NULL: there is none. A NULL group has none. */
const Argument *argument_find(const Argument *group, const char *name);
/* The item as a number or a text; `otherwise` where it is absent or of another kind. */
double argument_number(const Argument *group, const char *name, double otherwise);
const char *argument_text(const Argument *group, const char *name, const char *otherwise);
/* Whether two values are equal: numbers by value (15 and 15.0 are the same), groups whatever their order. */
bool argument_equal(const Argument *a, const Argument *b);

/* A value as its user would type it ("0.5", "yes", "fesam"); lists and groups in brackets. */
void argument_format(const Argument *argument, char *text, size_t size);

/* Writes the value so that equal values give equal texts: the part of a cell's key that is its parameters. */
void argument_write_key(const Argument *argument, FILE *stream);

/* The JSON form. STATUS_BAD_INPUT cannot come up: every JSON value is an argument. */
Status argument_from_json(const json_t *value, Argument *out);
json_t *argument_to_json(const Argument *argument); /* new; NULL: memory is out */

#endif

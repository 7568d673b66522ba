/* Parameter values of a cell: numbers, flags and words by name; for studies also lists and groups of them.
 * An argument is a jansson value, but only harness/records treats it as such. NULL stands for an empty
 * group or a missing item. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/parameters.h"
#include <jansson.h>

typedef json_t Argument;

void argument_free(Argument *argument);
DEFINE_OWNED_BY(Argument, argument_free)
/* Checks a value. STATUS_BAD_INPUT for a number that does not fit an int, a text with control characters, a
 * name that is not a term (json_table.h), or groups that are nested too deeply. `where` begins the
 * message. */
Status argument_check(const Argument *argument, const char *where);

/* Makes a deep copy. */
Status argument_copy(const Argument *from, Argument **out);

/* Adds an item to a group, or replaces the item of that name. Creates the group if it is NULL. If `integer`
 * is set, the number is written without a fraction. */
Status argument_set_number(Argument **group, const char *name, bool integer, double number);

/* Adds a text to a group as argument_set_number adds a number. NULL and "" add nothing. */
Status argument_set_text(Argument **group, const char *name, const char *text);

/* Makes a group of all parameters with their values. */
Status arguments_of(const Parameter *rows, const ParameterValues *values, Argument **out);

/* Reads parameter values from a group written by arguments_of. Missing parameters get their defaults.
 * STATUS_USAGE, naming `owner`, for a value that a parameter does not accept. */
Status argument_values(const Argument *group, const Parameter *rows, const char *owner, ParameterValues *out);

/* Copies the items of `over` into `group`, replacing items of the same name. */
Status argument_update(Argument **group, const Argument *over);

/* Return the item of that name in a group, the item at an index of a list, or the length of a list. */
const Argument *argument_find(const Argument *group, const char *name);
const Argument *argument_at(const Argument *list, int index);
int argument_count(const Argument *list);

/* Return the value itself, or the value of an item of a group. If it is absent or has another type, return
 * `otherwise`. */
double argument_number(const Argument *value, double otherwise);
double argument_number_of(const Argument *group, const char *name, double otherwise);
const char *argument_text(const Argument *value, const char *otherwise);
bool argument_flag(const Argument *value);

/* Writes a value as its user would type it ("0.5", "yes", "fesam"). Lists and groups are written in
 * brackets. */
void argument_format(const Argument *value, char *text, size_t size);

/* Returns the part of a cell's key that describes parameters. The text is the same for equal values,
 * whatever the order of their members; 15 and 15.0 are equal. Release with free; NULL if out of memory. */
char *argument_key(const Argument *argument);
bool argument_equal(const Argument *a, const Argument *b);

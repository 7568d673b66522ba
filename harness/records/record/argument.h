/* What the parameters of a cell were given: numbers, flags and words by name, and for studies lists and
 * groups of such. An argument is a value of jansson's, which is met as such in harness/records alone. NULL is
 * an empty group, and what is not there. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/parameters.h"
#include <jansson.h>

typedef json_t Argument;

void argument_free(Argument *argument);
DEFINE_OWNED_BY(Argument, argument_free)
/* STATUS_BAD_INPUT for an argument that no parameter takes: a number that no int holds, a text with control
 * characters, a name that is not a term (json_table.h), groups nested too deeply. `where` opens the
 * message. */
Status argument_check(const Argument *argument, const char *where);

/* A deep copy. */
Status argument_copy(const Argument *from, Argument **out);

/* Adds one item to a group, which is made where it is NULL, or replaces that of the same name. integer: the
 * number is written without a fraction. */
Status argument_set_number(Argument **group, const char *name, bool integer, double number);

/* A new group of all parameters with their values. */
Status arguments_of(const Parameter *rows, const ParameterValues *values, Argument **out);

/* The values that a group gives parameters, as arguments_of wrote them; a default for what it lacks.
 * STATUS_USAGE, in `owner`'s name, for a value that the parameter does not take. */
Status argument_values(const Argument *group, const Parameter *rows, const char *owner, ParameterValues *out);

/* Puts the items of `over` over those of `group`, by name. */
Status argument_update(Argument **group, const Argument *over);

/* The item of that name; an item of a list; how many a list has. */
const Argument *argument_find(const Argument *group, const char *name);
const Argument *argument_at(const Argument *list, int index);
int argument_count(const Argument *list);

/* The value itself, or that of an item of a group; `otherwise` where it is absent or of another kind. */
double argument_number(const Argument *value, double otherwise);
double argument_number_of(const Argument *group, const char *name, double otherwise);
const char *argument_text(const Argument *value, const char *otherwise);
bool argument_flag(const Argument *value);

/* A value as its user would type it ("0.5", "yes", "fesam"); lists and groups in brackets. */
void argument_format(const Argument *value, char *text, size_t size);

/* A text that equal values share, whatever the order of their members: the part of a cell's key that is its
 * parameters. 15 and 15.0 are equal. For free(); NULL: out of memory. */
char *argument_key(const Argument *argument);
bool argument_equal(const Argument *a, const Argument *b);

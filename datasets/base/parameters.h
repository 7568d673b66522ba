/* Describes the settings of a method as data. They are the rows of a constant table that ends with an empty
 * row; NULL is a table without rows. The value of each row is stored as a double. For a choice it is the
 * index of the chosen word, for a flag 0 or 1. */
#pragma once

#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>

enum { PARAMETERS_MAX = 32, ATTRIBUTE_NAME_BYTES = 48 };

typedef enum ParameterType {
    PARAMETER_REAL,
    PARAMETER_INTEGER,
    PARAMETER_FLAG,
    PARAMETER_CHOICE,
    PARAMETER_PRESET,   /* a choice whose words also set other rows, except rows that the user sets by name,
                         before or after it */
    PARAMETER_ATTRIBUTE /* the name of a mesh attribute (dataset.h), or empty, which is the default; at most
                           one row of a table. The value is 1 if a name is given, otherwise 0. */
} ParameterType;

typedef struct Parameter {
    const char *name;    /* name after --set, for example "hemisphere" */
    const char *meaning; /* one-line explanation for `list methods` */
    ParameterType type;
    double default_value;
    double minimum, maximum; /* allowed range, inclusive; ignored for flags and choices */
    /* For PARAMETER_CHOICE: the words, followed by NULL. For PARAMETER_PRESET: pairs of a word and the
     * settings that it stands for, followed by NULL. Settings have the form "name=value" and are separated
     * by blanks; all other rows keep their defaults. The default word stands for no settings. */
    const char *const *choices;
} Parameter;

typedef struct ParameterValues {
    double values[PARAMETERS_MAX];
    bool given[PARAMETERS_MAX];           /* whether the row was set by name, not through a preset */
    char attribute[ATTRIBUTE_NAME_BYTES]; /* the text of PARAMETER_ATTRIBUTE */
} ParameterValues;

/* Whether a name is safe on any command line: lower-case letters, digits and hyphens, beginning with a
 * letter. */
bool name_is_plain(const char *name);

/* Whether a mesh attribute may have this name. */
#define ATTRIBUTE_NAME_RULE "1 to 47 letters, digits, underscores, hyphens or points"
bool attribute_name_is_sound(const char *name);

/* Checks a table of rows. Returns STATUS_USAGE with the name `owner` if a parameter has an unsafe or
 * repeated name, no explanation, no words to choose from, or an invalid default, or if two parameters name
 * attributes. */
Status parameters_check(const Parameter *rows, const char *owner);

int parameters_count(const Parameter *rows);

/* Returns the row that a name, or a text "name=value", names; NULL if there is none. */
const Parameter *parameter_find(const Parameter *rows, const char *name);

/* Returns the defaults of all rows. */
ParameterValues parameters_default(const Parameter *rows);

/* Applies one text "name=value". The message of STATUS_USAGE names the row, the given value and the allowed
 * values. `owner` is the name of the method, for the message. */
Status parameters_set(const Parameter *rows, const char *owner, const char *assignment,
                      ParameterValues *values);

/* Returns word `index` of a choice or preset, or NULL if there are fewer words. */
const char *parameter_word(const Parameter *row, int index);

/* Formats the value of a row, as a user would type it, into text [size]. */
void parameter_format(const Parameter *row, double value, char *text, size_t size);

/* Describe a row for a list of parameters. One function gives its type ("real", "integer", "flag", "choice",
 * "preset" or "attribute"), one its default with a few digits, and one its range ("0 to 1", "yes or no", or
 * its words separated by commas). */
const char *parameter_type_name(ParameterType type);
void parameter_default_format(const Parameter *row, char *text, size_t size);
void parameter_range_format(const Parameter *row, char *text, size_t size);

/* Parameters as data: what a method lets its user set, as rows of a const table that ends with an empty row;
 * NULL is a table without rows. Values travel as an array of
 * doubles parallel to the rows; a choice is the number of its word, a flag is 0 or 1. */
#pragma once

#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>

enum { PARAMETERS_MAX = 32 };

typedef enum ParameterType {
    PARAMETER_REAL,
    PARAMETER_INTEGER,
    PARAMETER_FLAG,
    PARAMETER_CHOICE,
    PARAMETER_PRESET /* a choice whose word sets other rows, but those that were set by name, before or after
                        it */
} ParameterType;

typedef struct Parameter {
    const char *name;    /* as after --set, for example "hemisphere" */
    const char *meaning; /* one line for the reader of `list methods` */
    ParameterType type;
    double default_value;
    double minimum, maximum; /* inclusive; not read for flags and choices */
    /* Of PARAMETER_CHOICE the words, NULL-terminated. Of PARAMETER_PRESET pairs of a word and the
     * "name=value"s it stands for, with a blank between two; the other rows are at their defaults. The
     * default word stands for none. */
    const char *const *choices;
} Parameter;

typedef struct ParameterValues {
    double values[PARAMETERS_MAX];
    bool given[PARAMETERS_MAX]; /* set by name, not by a preset */
} ParameterValues;

/* Whether a name can stand on any command line: lower-case letters, digits and hyphens, a letter first. */
bool name_is_plain(const char *name);

/* Whether a table of rows makes sense, for those who test what it belongs to: STATUS_USAGE, in `owner`'s
 * name, for a name that is not plain or stands twice, a row without meaning or words to choose from, a
 * default that it would refuse itself. */
Status parameters_check(const Parameter *rows, const char *owner);

int parameters_count(const Parameter *rows);

/* The defaults of all rows. */
ParameterValues parameters_default(const Parameter *rows);

/* Applies one "name=value". STATUS_USAGE names the row, what was given and what is allowed. `owner` is the
 * method's name, for the message. */
Status parameters_set(const Parameter *rows, const char *owner, const char *assignment,
                      ParameterValues *values);

/* Word `index` of a choice or preset, NULL beyond the last. */
const char *parameter_word(const Parameter *row, int index);

/* Writes the value of row `index` as its user would type it into text [size]. */
void parameter_format(const Parameter *row, double value, char *text, size_t size);

/* A row as it is listed: "real", "integer", "flag", "choice" or "preset"; its default in few digits; and what
 * it takes, "0 to 1", "yes or no", or its words with commas. */
const char *parameter_type_name(ParameterType type);
void parameter_default_format(const Parameter *row, char *text, size_t size);
void parameter_range_format(const Parameter *row, char *text, size_t size);

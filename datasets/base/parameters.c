/* Parses name=value against the rows of a table, and writes values as their user would type them. */
#include "datasets/base/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool name_is_plain(const char *name)
{
    return name && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

static bool default_is_allowed(const Parameter *row)
{
    const double value = row->default_value;
    int words = row->type == PARAMETER_FLAG ? 2 : 0;
    while (row->type == PARAMETER_CHOICE && row->choices[words])
        words++;
    if (words > 0)
        return value >= 0.0 && value < words && value == floor(value);
    return value >= row->minimum && value <= row->maximum &&
           (row->type != PARAMETER_INTEGER || value == floor(value));
}

Status parameters_check(const Parameter *rows, int count, const char *owner)
{
    if (count < 0 || count > PARAMETERS_MAX || (count > 0 && !rows))
        return status_make(STATUS_USAGE, "%s: its table says %d parameters, expected 0 to %d", owner, count,
                           PARAMETERS_MAX);
    for (int i = 0; i < count; i++) {
        const Parameter *row = &rows[i];
        if (!name_is_plain(row->name))
            return status_make(STATUS_USAGE,
                               "%s: the name of parameter %d, '%s', is not lower-case letters, digits "
                               "and -",
                               owner, i, row->name ? row->name : "");
        for (int k = 0; k < i; k++)
            if (strcmp(rows[k].name, row->name) == 0)
                return status_make(STATUS_USAGE, "%s: two parameters are named '%s'", owner, row->name);
        if (!row->meaning || row->meaning[0] == '\0')
            return status_make(STATUS_USAGE, "%s: parameter %s has no meaning", owner, row->name);
        if (row->type == PARAMETER_CHOICE && (!row->choices || !row->choices[0]))
            return status_make(STATUS_USAGE, "%s: parameter %s has no words to choose from", owner,
                               row->name);
        if (!default_is_allowed(row))
            return status_make(STATUS_USAGE, "%s: the default of parameter %s, %g, is not a value it takes",
                               owner, row->name, row->default_value);
    }
    return status_ok();
}

ParameterValues parameters_default(const Parameter *rows, int count)
{
    ParameterValues result = {{0.0}};
    for (int i = 0; i < count && i < PARAMETERS_MAX; i++)
        result.values[i] = rows[i].default_value;
    return result;
}

static Status choice_parse(const Parameter *row, const char *owner, const char *word, double *value)
{
    char allowed[256] = "";
    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], word) == 0) {
            *value = i;
            return status_ok();
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", i ? ", " : "", row->choices[i]);
    }
    return status_make(STATUS_USAGE, "%s: %s is '%s', expected one of %s", owner, row->name, word, allowed);
}

static Status number_parse(const Parameter *row, const char *owner, const char *word, double *value)
{
    char *end = NULL;
    double number = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(number))
        return status_make(STATUS_USAGE, "%s: %s is '%s', expected a number", owner, row->name, word);
    if (row->type == PARAMETER_INTEGER && number != floor(number))
        return status_make(STATUS_USAGE, "%s: %s is %s, expected a whole number", owner, row->name, word);
    if (number < row->minimum || number > row->maximum)
        return status_make(STATUS_USAGE, "%s: %s is %s, expected %g to %g", owner, row->name, word,
                           row->minimum, row->maximum);
    *value = number;
    return status_ok();
}

Status parameters_set(const Parameter *rows, int count, const char *owner, const char *assignment,
                      ParameterValues *values)
{
    static const char *const flag_words[] = {"no", "yes", NULL};
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return status_make(STATUS_USAGE, "%s: '%s' is not of the form name=value", owner, assignment);
    size_t length = (size_t)(equals - assignment);
    for (int i = 0; i < count; i++) {
        const Parameter *row = &rows[i];
        if (strlen(row->name) != length || strncmp(row->name, assignment, length) != 0)
            continue;
        if (row->type == PARAMETER_CHOICE)
            return choice_parse(row, owner, equals + 1, &values->values[i]);
        if (row->type == PARAMETER_FLAG) {
            Parameter flag = *row;
            flag.choices = flag_words;
            return choice_parse(&flag, owner, equals + 1, &values->values[i]);
        }
        return number_parse(row, owner, equals + 1, &values->values[i]);
    }
    char names[256] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rows[i].name);
    }
    return status_make(STATUS_USAGE, "%s has no parameter '%.*s'; it has %s", owner, (int)length, assignment,
                       count > 0 ? names : "none");
}

void parameter_format(const Parameter *row, double value, char *text, size_t size)
{
    if (row->type == PARAMETER_CHOICE)
        snprintf(text, size, "%s", row->choices[(int)value]);
    else if (row->type == PARAMETER_FLAG)
        snprintf(text, size, "%s", value != 0.0 ? "yes" : "no");
    else
        snprintf(text, size, "%.17g", value);
}

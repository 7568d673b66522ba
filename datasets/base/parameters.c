/* Parses name=value against the rows of a table, and formats values as a user would type them. */
#include "datasets/base/parameters.h"

#include "datasets/base/nearest_name.h"
#include "datasets/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool name_is_plain(const char *name)
{
    return name && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

bool attribute_name_is_sound(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length > 0 && length < ATTRIBUTE_NAME_BYTES &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == length;
}

static bool has_words(const Parameter *row)
{
    return row->type == PARAMETER_CHOICE || row->type == PARAMETER_PRESET;
}

const char *parameter_word(const Parameter *row, int index)
{
    int stride = row->type == PARAMETER_PRESET ? 2 : 1;
    for (int i = 0; i < index; i++)
        if (!row->choices[i * stride])
            return NULL;
    return row->choices[index * stride];
}

const Parameter *parameter_find(const Parameter *rows, const char *name)
{
    const size_t length = strcspn(name, "=");
    for (; rows && rows->name; rows++)
        if (strncmp(rows->name, name, length) == 0 && rows->name[length] == '\0')
            return rows;
    return NULL;
}

int parameters_count(const Parameter *rows)
{
    int count = 0;
    while (rows && rows[count].name)
        count++;
    return count;
}

ParameterValues parameters_default(const Parameter *rows)
{
    ParameterValues result = {.given = {false}};
    for (int i = 0; i < PARAMETERS_MAX && rows && rows[i].name; i++)
        result.values[i] = rows[i].default_value;
    return result;
}

static Status choice_parse(const Parameter *row, const char *owner, const char *word, double *value)
{
    char allowed[256] = "";
    for (int i = 0; parameter_word(row, i); i++) {
        if (strcmp(parameter_word(row, i), word) == 0) {
            *value = i;
            return status_ok();
        }
        text_append(allowed, sizeof allowed, "%s%s", i ? ", " : "", parameter_word(row, i));
    }
    return bad_usage("%s: %s is '%s', expected one of %s", owner, row->name, word, allowed);
}

static Status value_parse(const Parameter *row, const char *owner, const char *word, double *value)
{
    static const char *const flag_words[] = {"no", "yes", NULL};
    if (has_words(row))
        return choice_parse(row, owner, word, value);
    if (row->type == PARAMETER_ATTRIBUTE) {
        *value = word[0] != '\0';
        return *value == 0.0 || attribute_name_is_sound(word)
                   ? status_ok()
                   : bad_usage("%s: %s is '%.60s', expected " ATTRIBUTE_NAME_RULE, owner, row->name, word);
    }
    if (row->type != PARAMETER_FLAG) {
        char *end = NULL;
        double number = strtod(word, &end);
        if (end == word || *end != '\0' || !isfinite(number))
            return bad_usage("%s: %s is '%s', expected a number", owner, row->name, word);
        if (row->type == PARAMETER_INTEGER && number != floor(number))
            return bad_usage("%s: %s is %s, expected a whole number", owner, row->name, word);
        if (number < row->minimum || number > row->maximum)
            return bad_usage("%s: %s is %s, expected %g to %g", owner, row->name, word, row->minimum,
                             row->maximum);
        *value = number;
        return status_ok();
    }
    Parameter flag = *row;
    flag.type = PARAMETER_CHOICE;
    flag.choices = flag_words;
    return choice_parse(&flag, owner, word, value);
}

/* Parses the text "name=value": finds the row of this name and its new value. */
static Status assignment_parse(const Parameter *rows, const char *owner, const char *assignment, int *index,
                               double *value)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return bad_usage("%s: '%s' is not of the form name=value", owner, assignment);
    const int length = (int)(equals - assignment);
    const Parameter *row = parameter_find(rows, assignment);
    if (row) {
        *index = (int)(row - rows);
        return value_parse(row, owner, equals + 1, value);
    }
    char names[256] = "";
    for (int i = 0; rows && rows[i].name; i++)
        text_append(names, sizeof names, "%s%s", i ? ", " : "", rows[i].name);
    char given[64];
    snprintf(given, sizeof given, "%.*s", length, assignment);
    NearestName nearest = {.given = given};
    for (int i = 0; rows && rows[i].name; i++)
        nearest_name_add_candidate(&nearest, rows[i].name);
    return nearest_name_suggest(&nearest, bad_usage("%s has no parameter '%.*s'; it has %s", owner, length,
                                                    assignment, names[0] ? names : "none"));
}

/* Applies word `word` of the preset in row `preset`: sets the rows that this word stands for, except rows
 * that the user has set by name. */
static Status preset_apply(const Parameter *rows, const char *owner, int preset, int word,
                           ParameterValues *values)
{
    const char *rest = rows[preset].choices[2 * word + 1];
    for (int i = 0; rows[i].name; i++)
        if (!values->given[i])
            values->values[i] = rows[i].default_value;
    while (*rest) {
        char assignment[64];
        int index = 0, length = (int)strcspn(rest, " ");
        double value = 0.0;
        snprintf(assignment, sizeof assignment, "%.*s", length, rest);
        STATUS_TRY(assignment_parse(rows, owner, assignment, &index, &value));
        if (!values->given[index])
            values->values[index] = value;
        rest += length + (rest[length] == ' ');
    }
    return status_ok();
}

Status parameters_set(const Parameter *rows, const char *owner, const char *assignment,
                      ParameterValues *values)
{
    int index = 0;
    double value = 0.0;
    STATUS_TRY(assignment_parse(rows, owner, assignment, &index, &value));
    values->values[index] = value;
    values->given[index] = true;
    if (rows[index].type == PARAMETER_ATTRIBUTE)
        snprintf(values->attribute, sizeof values->attribute, "%s", strchr(assignment, '=') + 1);
    return rows[index].type == PARAMETER_PRESET ? preset_apply(rows, owner, index, (int)value, values)
                                                : status_ok();
}

static bool default_is_allowed(const Parameter *row)
{
    const double value = row->default_value;
    int words = row->type == PARAMETER_FLAG ? 2 : 0;
    while (has_words(row) && parameter_word(row, words))
        words++;
    if (words > 0)
        return value >= 0.0 && value < words && value == floor(value);
    return value >= row->minimum && value <= row->maximum &&
           (row->type != PARAMETER_INTEGER || value == floor(value));
}

Status parameters_check(const Parameter *rows, const char *owner)
{
    const int count = parameters_count(rows);
    if (count > PARAMETERS_MAX)
        return bad_usage("%s: its table has %d parameters, expected 0 to %d", owner, count, PARAMETERS_MAX);
    for (int i = 0; i < count; i++) {
        const Parameter *row = &rows[i];
        if (!name_is_plain(row->name))
            return bad_usage(
                "%s: the name of parameter %d, '%s', must consist of lower-case letters, digits and -", owner,
                i, row->name ? row->name : "");
        for (int k = 0; k < i; k++)
            if (strcmp(rows[k].name, row->name) == 0)
                return bad_usage("%s: two parameters are named '%s'", owner, row->name);
            else if (row->type == PARAMETER_ATTRIBUTE && rows[k].type == PARAMETER_ATTRIBUTE)
                return bad_usage("%s: %s and %s both name an attribute, expected one such parameter", owner,
                                 rows[k].name, row->name);
        if (!row->meaning || row->meaning[0] == '\0')
            return bad_usage("%s: parameter %s has no explanation", owner, row->name);
        if (has_words(row) && (!row->choices || !row->choices[0]))
            return bad_usage("%s: parameter %s has no words to choose from", owner, row->name);
        if (!default_is_allowed(row))
            return bad_usage("%s: parameter %s has the default %g, which is not an allowed value", owner,
                             row->name, row->default_value);
    }
    for (int i = 0; i < count; i++)
        for (int word = 0; rows[i].type == PARAMETER_PRESET && parameter_word(&rows[i], word); word++) {
            ParameterValues values = parameters_default(rows);
            const char *meaning = rows[i].choices[2 * word + 1];
            if (!meaning || (word == (int)rows[i].default_value) != (meaning[0] == '\0'))
                return bad_usage("%s: in preset %s, the default word must stand for no settings, and every "
                                 "other word for some",
                                 owner, rows[i].name);
            STATUS_TRY(preset_apply(rows, owner, i, word, &values));
        }
    return status_ok();
}

void parameter_format(const Parameter *row, double value, char *text, size_t size)
{
    if (has_words(row))
        snprintf(text, size, "%s", parameter_word(row, (int)value));
    else if (row->type == PARAMETER_FLAG)
        snprintf(text, size, "%s", value != 0.0 ? "yes" : "no");
    else if (row->type == PARAMETER_ATTRIBUTE)
        text[0] = '\0'; /* the default; ParameterValues has any other name */
    else
        snprintf(text, size, "%.17g", value);
}

const char *parameter_type_name(ParameterType type)
{
    static const char *const names[] = {
        [PARAMETER_REAL] = "real",     [PARAMETER_INTEGER] = "integer", [PARAMETER_FLAG] = "flag",
        [PARAMETER_CHOICE] = "choice", [PARAMETER_PRESET] = "preset",   [PARAMETER_ATTRIBUTE] = "attribute"};
    return names[type];
}

void parameter_default_format(const Parameter *row, char *text, size_t size)
{
    parameter_format(row, row->default_value, text, size);
    if (row->type == PARAMETER_REAL)
        snprintf(text, size, "%g", row->default_value);
}

void parameter_range_format(const Parameter *row, char *text, size_t size)
{
    text[0] = '\0';
    if (row->type == PARAMETER_FLAG)
        snprintf(text, size, "yes or no");
    else if (row->type == PARAMETER_ATTRIBUTE)
        snprintf(text, size, "an attribute of the mesh");
    else if (!has_words(row))
        snprintf(text, size, "%g to %g", row->minimum, row->maximum);
    else
        for (int i = 0; parameter_word(row, i); i++)
            text_append(text, size, "%s%s", i ? ", " : "", parameter_word(row, i));
}

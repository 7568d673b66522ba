/* Implements parameter values as jansson values. */
#include "harness/records/record/argument.h"

#include "datasets/io/json_table.h"

enum { SETTING_NAME_BYTES = 64 };
static const char OUT_OF_MEMORY[] = "the parameters of a result";

void argument_free(Argument *argument)
{
    json_decref(argument);
}

/* Checks an argument and its contents, which may be nested at most `depth` levels deep. */
static Status levels_check(const Argument *argument, const char *where, int depth)
{
    char place[JSON_WHERE_BYTES];
    const char *name = NULL, *const text = json_string_value(argument);
    json_t *value = NULL;
    if (depth == 0)
        return bad_input("%s: lists or groups are nested too deeply", where);
    if (text)
        return json_text_check(JSON_KIND_LABEL, text, where);
    if (json_is_number(argument))
        return json_number_check(JSON_KIND_SETTING, argument, where);
    for (size_t i = 0; i < json_array_size(argument); i++) {
        json_place(place, where, NULL, i);
        STATUS_TRY(levels_check(json_array_get(argument, i), place, depth - 1));
    }
    json_object_foreach((json_t *)argument, name, value)
    {
        STATUS_TRY(json_name_check(name, SETTING_NAME_BYTES, where));
        json_place(place, where, name, 0);
        STATUS_TRY(levels_check(value, place, depth - 1));
    }
    return status_ok();
}

Status argument_check(const Argument *argument, const char *where)
{
    enum { LEVELS_MAX = 8 };
    return levels_check(argument, where, LEVELS_MAX);
}

Status argument_copy(const Argument *from, Argument **out)
{
    *out = json_deep_copy(from);
    return *out || !from ? status_ok() : status_out_of_memory(OUT_OF_MEMORY);
}

/* Stores a value in a group and takes ownership of the value. */
static Status item_store(Argument **group, const char *name, json_t *value)
{
    *group = *group ? *group : json_object();
    return json_object_set_new(*group, name, value) == 0 ? status_ok() : status_out_of_memory(OUT_OF_MEMORY);
}

Status argument_set_number(Argument **group, const char *name, bool integer, double number)
{
    return item_store(group, name, integer ? json_integer((json_int_t)number) : json_number_or_null(number));
}

Status argument_set_text(Argument **group, const char *name, const char *text)
{
    return text && text[0] ? item_store(group, name, json_text(text)) : status_ok();
}

Status argument_update(Argument **group, const Argument *over)
{
    json_auto_t *copy = NULL;
    STATUS_TRY(argument_copy(over, &copy));
    *group = *group ? *group : json_object();
    if (copy && json_object_update(*group, copy) != 0)
        return status_out_of_memory(OUT_OF_MEMORY);
    return status_ok();
}

Status arguments_of(const Parameter *rows, const ParameterValues *values, Argument **out)
{
    *out = NULL;
    json_auto_t *group = json_object();
    ALLOCATED(group, OUT_OF_MEMORY); /* create the group here rather than with its first item, so that a
                                        failure is noticed */
    for (int i = 0; rows && rows[i].name; i++) {
        const double value = values->values[i];
        if (rows[i].type == PARAMETER_CHOICE || rows[i].type == PARAMETER_PRESET)
            STATUS_TRY(item_store(&group, rows[i].name, json_string(parameter_word(&rows[i], (int)value))));
        else if (rows[i].type == PARAMETER_ATTRIBUTE && value == 0.0)
            continue; /* so that the cell of a method that gains such a parameter keeps its key */
        else if (rows[i].type == PARAMETER_ATTRIBUTE)
            STATUS_TRY(item_store(&group, rows[i].name, json_string(values->attribute)));
        else if (rows[i].type == PARAMETER_FLAG)
            STATUS_TRY(item_store(&group, rows[i].name, json_boolean(value != 0.0)));
        else
            STATUS_TRY(argument_set_number(&group, rows[i].name, rows[i].type == PARAMETER_INTEGER, value));
    }
    *out = TAKE(group);
    return status_ok();
}

Status argument_values(const Argument *group, const Parameter *rows, const char *owner, ParameterValues *out)
{
    *out = parameters_default(rows);
    for (int i = 0; rows && rows[i].name; i++) {
        const Argument *value = argument_find(group, rows[i].name);
        char assignment[256];
        size_t used = (size_t)snprintf(assignment, sizeof assignment, "%.100s=", rows[i].name);
        if (!value)
            continue;
        if (json_is_number(value))
            snprintf(assignment + used, sizeof assignment - used, "%.17g", json_number_value(value));
        else
            argument_format(value, assignment + used, sizeof assignment - used);
        STATUS_TRY(parameters_set(rows, owner, assignment, out));
    }
    return status_ok();
}

const Argument *argument_find(const Argument *group, const char *name)
{
    return json_object_get(group, name);
}

const Argument *argument_at(const Argument *list, int index)
{
    return json_array_get(list, (size_t)index);
}

int argument_count(const Argument *list)
{
    return (int)json_array_size(list);
}

double argument_number(const Argument *value, double otherwise)
{
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

double argument_number_of(const Argument *group, const char *name, double otherwise)
{
    return argument_number(argument_find(group, name), otherwise);
}

const char *argument_text(const Argument *value, const char *otherwise)
{
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

bool argument_flag(const Argument *value)
{
    return json_is_true(value);
}

void argument_format(const Argument *value, char *text, size_t size)
{
    char *brackets = NULL;
    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_number(value))
        snprintf(text, size, "%g", json_number_value(value));
    else
        snprintf(text, size, "%s", (brackets = argument_key(value)) ? brackets : "");
    free(brackets);
}

char *argument_key(const Argument *argument)
{
    json_t *empty = argument ? NULL : json_object();
    char *text = json_dumps(argument ? argument : empty,
                            JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    /* Remove the ".0" of reals with integer values, so that 15.0 is written as 15. The ".0" ends a number
     * if a bracket, a comma or the end of the text follows. */
    char *out = text;
    for (const char *from = text; from && *from;)
        if (strncmp(from, ".0", 2) == 0 && (from[2] == '\0' || strchr(",]}", from[2])))
            from += 2;
        else
            *out++ = *from++;
    if (out)
        *out = '\0';
    json_decref(empty);
    return text;
}

bool argument_equal(const Argument *a, const Argument *b)
{
    OWNED_BY(free) char *key = argument_key(a), *other = argument_key(b);
    return key && other && strcmp(key, other) == 0;
}

/* Structs read from and written to JSON objects by tables of their members. */
#include "harness/records/json_fields.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const void *member_at(const JsonField *field, const void *object)
{
    return (const char *)object + field->offset;
}

static bool member_is_empty(const JsonField *field, const void *member)
{
    switch (field->kind) {
    case JSON_FIELD_TEXT:
        return *(const char *)member == '\0';
    case JSON_FIELD_INTEGER:
        return *(const int *)member < 0;
    case JSON_FIELD_FLAG:
        return !*(const bool *)member;
    case JSON_FIELD_TEXTS:
    case JSON_FIELD_GROUP:
        return false;
    case JSON_FIELD_WHOLE:
    case JSON_FIELD_REAL:
        break;
    }
    return isnan(*(const double *)member);
}

json_t *json_number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* A new array of the texts before the first that is empty. */
static json_t *texts_to_json(const JsonField *field, const char *texts)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < field->count && texts[i * field->size] != '\0'; i++)
        if (json_array_append_new(array, json_string(texts + i * field->size)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *member_to_json(const JsonField *field, const void *member)
{
    double number;
    switch (field->kind) {
    case JSON_FIELD_TEXT:
        return json_string(member);
    case JSON_FIELD_INTEGER:
        return json_integer(*(const int *)member);
    case JSON_FIELD_FLAG:
        return json_boolean(*(const bool *)member);
    case JSON_FIELD_WHOLE:
        number = *(const double *)member;
        return isfinite(number) ? json_integer((json_int_t)number) : json_null();
    case JSON_FIELD_TEXTS:
        return texts_to_json(field, member);
    case JSON_FIELD_GROUP:
        return json_fields_new(field->fields, field->count, member);
    case JSON_FIELD_REAL:
        break;
    }
    return json_number_or_null(*(const double *)member);
}

Status json_fields_write(json_t *object, const JsonField *fields, size_t count, const void *from)
{
    bool written = object != NULL;
    for (size_t i = 0; i < count && written; i++) {
        const void *member = member_at(&fields[i], from);
        bool empty = fields[i].empty != JSON_EMPTY_WRITTEN && member_is_empty(&fields[i], member);
        if (!empty || fields[i].empty == JSON_EMPTY_NULL)
            written =
                json_put(object, fields[i].name, empty ? json_null() : member_to_json(&fields[i], member));
    }
    return written ? status_ok() : status_out_of_memory("a result");
}

json_t *json_fields_new(const JsonField *fields, size_t count, const void *from)
{
    json_t *object = json_object();
    if (json_fields_write(object, fields, count, from).code == STATUS_OK)
        return object;
    json_decref(object);
    return NULL;
}

bool json_put(json_t *object, const char *name, json_t *member)
{
    return json_object_set_new(object, name, member) == 0;
}

Status json_unexpected(const char *where, const char *member, const json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    Status status = status_make(STATUS_BAD_INPUT, "%s%s%s is %.80s, expected %s", where, *member ? "." : "",
                                member, text ? text : "something else", expected);
    free(text);
    return status;
}

static Status member_unknown(const char *where, const char *member, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    Status status = status_make(STATUS_BAD_INPUT, "%s: unknown member \"%.64s\": %.80s", where, member,
                                text ? text : "something");
    free(text);
    return status;
}

static bool texts_from_json(const JsonField *field, const json_t *array, char *texts)
{
    size_t count = json_array_size(array);
    for (size_t i = 0; i < count && i < field->count; i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (!text || strlen(text) >= field->size)
            return false;
        snprintf(texts + i * field->size, field->size, "%s", text);
    }
    return json_is_array(array) && count <= field->count;
}

/* NULL: the value was taken; else what was expected. A group is read by json_fields_read. */
static const char *member_from_json(const JsonField *field, const json_t *value, void *member)
{
    bool is_null = json_is_null(value);
    switch (field->kind) {
    case JSON_FIELD_TEXT:
        if (is_null || (json_is_string(value) && strlen(json_string_value(value)) < field->size)) {
            snprintf(member, field->size, "%s", is_null ? "" : json_string_value(value));
            return NULL;
        }
        return json_is_string(value) ? "a shorter text" : "a text";
    case JSON_FIELD_INTEGER:
        if (json_is_integer(value) && llabs(json_integer_value(value)) <= INT_MAX)
            *(int *)member = (int)json_integer_value(value);
        return is_null || (json_is_integer(value) && llabs(json_integer_value(value)) <= INT_MAX)
                   ? NULL
                   : "an integer";
    case JSON_FIELD_FLAG:
        *(bool *)member = json_is_true(value);
        return json_is_boolean(value) ? NULL : "true or false";
    case JSON_FIELD_TEXTS:
        return is_null || texts_from_json(field, value, member) ? NULL : "a list of short texts";
    case JSON_FIELD_GROUP:
    case JSON_FIELD_WHOLE:
    case JSON_FIELD_REAL:
        break;
    }
    *(double *)member = is_null ? NAN : json_number_value(value);
    return is_null || json_is_number(value) ? NULL : "a number";
}

Status json_fields_read(const json_t *object, const char *where, const JsonField *fields, size_t count,
                        void *into)
{
    if (!json_is_object(object))
        return json_unexpected(where, "", object, "an object");
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(object, fields[i].name);
        void *member = (char *)into + fields[i].offset;
        Status status = status_ok();
        const char *expected = NULL;
        if (value && fields[i].kind == JSON_FIELD_GROUP)
            status =
                json_group_read(object, where, fields[i].name, fields[i].fields, fields[i].count, member);
        else if (value)
            expected = member_from_json(&fields[i], value, member);
        if (expected)
            status = json_unexpected(where, fields[i].name, value, expected);
        if (status.code != STATUS_OK)
            return status;
    }
    return status_ok();
}

void json_place(char place[JSON_PLACE_BYTES], const char *where, const char *member)
{
    snprintf(place, JSON_PLACE_BYTES, "%.400s.%.64s", where, member);
}

Status json_group_read(const json_t *object, const char *where, const char *name, const JsonField *fields,
                       size_t count, void *into)
{
    const json_t *group = json_object_get(object, name);
    char place[JSON_PLACE_BYTES];
    json_place(place, where, name);
    return group && !json_is_null(group) ? json_fields_read(group, place, fields, count, into) : status_ok();
}

static bool is_known(const char *name, const JsonField *fields, size_t count, const char *const *others)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return true;
    for (; others && *others; others++)
        if (strcmp(*others, name) == 0)
            return true;
    return false;
}

Status json_fields_read_strict(const json_t *object, const char *where, const JsonField *fields, size_t count,
                               const char *const *others, void *into)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)object, name, value)
    {
        if (!is_known(name, fields, count, others))
            return member_unknown(where, name, value);
        if (json_is_null(value))
            return json_unexpected(where, name, value, "a value");
    }
    return json_fields_read(object, where, fields, count, into);
}

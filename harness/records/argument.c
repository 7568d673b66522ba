/* Values of parameters as a tree: a small typed form of what JSON can say. */
#include "harness/records/argument.h"

#include "datasets/base/memory.h"
#include "harness/records/json_fields.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char OUT_OF_MEMORY[] = "the parameters of a result";

void argument_clear(Argument *argument)
{
    for (int i = 0; i < argument->count; i++)
        argument_clear(&argument->items[i]);
    memory_free(argument->items);
    memory_free(argument->name);
    memory_free(argument->text);
    *argument = (Argument){0};
}

/* A new last item, empty; NULL: memory is out. */
static Argument *item_add(Argument *group, const char *name)
{
    Argument *items = memory_grow(group->items, (size_t)group->count, sizeof *items);
    if (!items)
        return NULL;
    group->items = items;
    Argument *item = &group->items[group->count];
    *item = (Argument){.name = name ? memory_text(name) : NULL};
    if (name && !item->name)
        return NULL;
    group->count++;
    return item;
}

const Argument *argument_find(const Argument *group, const char *name)
{
    for (int i = 0; group && i < group->count; i++)
        if (group->items[i].name && strcmp(group->items[i].name, name) == 0)
            return &group->items[i];
    return NULL;
}

/* Moves a value into a group: over the item of its name, else as a new one. It is cleared on failure. */
static Status item_put(Argument *group, const char *name, Argument *value)
{
    Argument *item = name ? (Argument *)argument_find(group, name) : NULL;
    if (!item)
        item = item_add(group, name);
    if (!item) {
        argument_clear(value);
        return status_out_of_memory(OUT_OF_MEMORY);
    }
    char *kept = item->name;
    item->name = NULL;
    argument_clear(item);
    *item = *value;
    item->name = kept;
    return status_ok();
}

Status argument_set_number(Argument *group, const char *name, ArgumentKind kind, double number)
{
    Argument value = {.kind = kind, .number = number};
    return item_put(group, name, &value);
}

static Status text_item_set(Argument *group, const char *name, const char *text)
{
    Argument value = {.kind = ARGUMENT_TEXT, .text = memory_text(text)};
    return value.text ? item_put(group, name, &value) : status_out_of_memory(OUT_OF_MEMORY);
}

Status argument_copy(const Argument *from, Argument *out)
{
    Status status = status_ok();
    *out = (Argument){.kind = from->kind, .number = from->number};
    if (from->text) {
        out->text = memory_text(from->text);
        if (!out->text)
            return status_out_of_memory(OUT_OF_MEMORY);
    }
    for (int i = 0; i < from->count && status.code == STATUS_OK; i++) {
        Argument item;
        status = argument_copy(&from->items[i], &item);
        if (status.code == STATUS_OK)
            status = item_put(out, from->items[i].name, &item);
    }
    if (status.code != STATUS_OK)
        argument_clear(out);
    return status;
}

Status argument_update(Argument *group, const Argument *over)
{
    Status status = status_ok();
    for (int i = 0; i < over->count && status.code == STATUS_OK; i++) {
        Argument item;
        status = argument_copy(&over->items[i], &item);
        if (status.code == STATUS_OK)
            status = item_put(group, over->items[i].name, &item);
    }
    return status;
}

Status arguments_of(const Parameter *rows, int count, const ParameterValues *values, Argument *out)
{
    static const ArgumentKind kinds[] = {[PARAMETER_REAL] = ARGUMENT_REAL,
                                         [PARAMETER_INTEGER] = ARGUMENT_INTEGER,
                                         [PARAMETER_FLAG] = ARGUMENT_FLAG,
                                         [PARAMETER_CHOICE] = ARGUMENT_TEXT};
    Status status = status_ok();
    *out = (Argument){0};
    for (int i = 0; i < count && status.code == STATUS_OK; i++)
        if (rows[i].type == PARAMETER_CHOICE)
            status = text_item_set(out, rows[i].name, rows[i].choices[(int)values->values[i]]);
        else
            status = argument_set_number(out, rows[i].name, kinds[rows[i].type], values->values[i]);
    if (status.code != STATUS_OK)
        argument_clear(out);
    return status;
}

static bool is_number(const Argument *argument)
{
    return argument && (argument->kind == ARGUMENT_INTEGER || argument->kind == ARGUMENT_REAL);
}

double argument_number(const Argument *group, const char *name, double otherwise)
{
    const Argument *item = argument_find(group, name);
    return is_number(item) ? item->number : otherwise;
}

const char *argument_text(const Argument *group, const char *name, const char *otherwise)
{
    const Argument *item = argument_find(group, name);
    return item && item->kind == ARGUMENT_TEXT ? item->text : otherwise;
}

bool argument_equal(const Argument *a, const Argument *b)
{
    if (is_number(a) && is_number(b))
        return a->number == b->number;
    bool equal = a->kind == b->kind && a->count == b->count && a->number == b->number &&
                 strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0;
    for (int i = 0; i < a->count && equal; i++) {
        const Argument *other = a->kind == ARGUMENT_GROUP ? argument_find(b, a->items[i].name) : &b->items[i];
        equal = other && argument_equal(&a->items[i], other);
    }
    return equal;
}

void argument_format(const Argument *argument, char *text, size_t size)
{
    FILE *stream = fmemopen(text, size, "w");
    text[0] = '\0';
    if (!stream)
        return;
    switch (argument->kind) {
    case ARGUMENT_TEXT:
        fputs(argument->text, stream);
        break;
    case ARGUMENT_FLAG:
        fputs(argument->number != 0.0 ? "yes" : "no", stream);
        break;
    case ARGUMENT_INTEGER:
    case ARGUMENT_REAL:
        fprintf(stream, "%g", argument->number);
        break;
    case ARGUMENT_NULL:
    case ARGUMENT_LIST:
    case ARGUMENT_GROUP:
        argument_write_key(argument, stream);
        break;
    }
    fclose(stream);
    text[size - 1] = '\0';
}

static int name_order(const void *a, const void *b)
{
    return strcmp((*(const Argument *const *)a)->name, (*(const Argument *const *)b)->name);
}

static void items_write(const Argument *argument, FILE *stream)
{
    const Argument **order = memory_array((size_t)argument->count, sizeof *order);
    for (int i = 0; order && i < argument->count; i++)
        order[i] = &argument->items[i];
    if (order && argument->kind == ARGUMENT_GROUP)
        qsort(order, (size_t)argument->count, sizeof *order, name_order);
    for (int i = 0; order && i < argument->count; i++) {
        fprintf(stream, "%s%s%s", i > 0 ? "," : "", order[i]->name ? order[i]->name : "",
                order[i]->name ? "=" : "");
        argument_write_key(order[i], stream);
    }
    memory_free(order);
}

void argument_write_key(const Argument *argument, FILE *stream)
{
    switch (argument->kind) {
    case ARGUMENT_TEXT:
        fprintf(stream, "\"%s\"", argument->text);
        break;
    case ARGUMENT_FLAG:
        fputs(argument->number != 0.0 ? "true" : "false", stream);
        break;
    case ARGUMENT_INTEGER:
    case ARGUMENT_REAL:
        fprintf(stream, "%.17g", argument->number);
        break;
    case ARGUMENT_NULL:
        fputs("null", stream);
        break;
    case ARGUMENT_LIST:
        fputc('[', stream);
        items_write(argument, stream);
        fputc(']', stream);
        break;
    case ARGUMENT_GROUP:
        fputc('{', stream);
        items_write(argument, stream);
        fputc('}', stream);
        break;
    }
}

static Status items_from_json(const json_t *value, Argument *out)
{
    const char *name = NULL;
    json_t *member = NULL;
    Status status = status_ok();
    Argument item;
    for (size_t i = 0; i < json_array_size(value) && status.code == STATUS_OK; i++) {
        status = argument_from_json(json_array_get(value, i), &item);
        if (status.code == STATUS_OK)
            status = item_put(out, NULL, &item);
    }
    json_object_foreach((json_t *)value, name, member)
    {
        if (status.code == STATUS_OK)
            status = argument_from_json(member, &item);
        if (status.code == STATUS_OK)
            status = item_put(out, name, &item);
    }
    return status;
}

Status argument_from_json(const json_t *value, Argument *out)
{
    static const ArgumentKind kinds[] = {
        [JSON_OBJECT] = ARGUMENT_GROUP,    [JSON_ARRAY] = ARGUMENT_LIST, [JSON_STRING] = ARGUMENT_TEXT,
        [JSON_INTEGER] = ARGUMENT_INTEGER, [JSON_REAL] = ARGUMENT_REAL,  [JSON_TRUE] = ARGUMENT_FLAG,
        [JSON_FALSE] = ARGUMENT_FLAG,      [JSON_NULL] = ARGUMENT_NULL};
    *out = (Argument){.kind = kinds[json_typeof(value)]};
    out->number = json_is_boolean(value) ? (double)json_is_true(value) : json_number_value(value);
    Status status = items_from_json(value, out);
    if (json_is_string(value) && (out->text = memory_text(json_string_value(value))) == NULL)
        status = status_out_of_memory(OUT_OF_MEMORY);
    if (status.code != STATUS_OK)
        argument_clear(out);
    return status;
}

json_t *argument_to_json(const Argument *argument)
{
    json_t *value = NULL;
    bool made = true;
    switch (argument->kind) {
    case ARGUMENT_TEXT:
        return json_string(argument->text);
    case ARGUMENT_FLAG:
        return json_boolean(argument->number != 0.0);
    case ARGUMENT_INTEGER:
        return json_integer((json_int_t)argument->number);
    case ARGUMENT_REAL:
        return json_number_or_null(argument->number);
    case ARGUMENT_NULL:
        return json_null();
    case ARGUMENT_LIST:
        value = json_array();
        for (int i = 0; value && i < argument->count && made; i++)
            made = json_array_append_new(value, argument_to_json(&argument->items[i])) == 0;
        break;
    case ARGUMENT_GROUP:
        value = json_object();
        for (int i = 0; value && i < argument->count && made; i++)
            made = json_object_set_new(value, argument->items[i].name,
                                       argument_to_json(&argument->items[i])) == 0;
        break;
    }
    if (!made) {
        json_decref(value);
        value = NULL;
    }
    return value;
}

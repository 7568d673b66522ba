/* Converts structs to JSON and back, guided by a table of a struct's members. */
#include "datasets/io/json_table.h"

const JsonTable json_reals = JSON_TABLE(double, {.kind = JSON_KIND_REAL, .size = sizeof(double)});
const JsonTable json_seconds = JSON_TABLE(double, {.kind = JSON_KIND_SECONDS, .size = sizeof(double)});
const JsonTable json_integers = JSON_TABLE(int, {.kind = JSON_KIND_INTEGER, .size = sizeof(int)});

/* ---- kinds ---- */

#define LOWER "abcdefghijklmnopqrstuvwxyz0123456789"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
/* Limit for reals. No measured value exceeds it: the largest float is 3.4e38. */
#define REAL_MAX 1e60
#define SECONDS_MAX 1e10
/* 2^53. A double can represent every integer up to this one. */
#define WHOLE_MAX 9007199254740992.0

static const struct {
    JsonKind stored;        /* kind of the C type */
    const char *characters; /* characters allowed in a text; NULL if no list restricts them */
    size_t length;          /* required length of a text; 0: any */
    double min, max;        /* range of a number */
    const char *expected;
} rules[JSON_KIND_FLAG] = {
    [JSON_KIND_TEXT] = {JSON_KIND_TEXT, .expected = "a text"},
    [JSON_KIND_LABEL] = {JSON_KIND_TEXT, .expected = "a text without control characters"},
    [JSON_KIND_NAME] = {JSON_KIND_TEXT, LOWER "-", .expected = "a name of lower-case letters, digits and -"},
    [JSON_KIND_TERM] = {JSON_KIND_TEXT, LETTERS "-_.", .expected = "a name of letters, digits, -, _ and ."},
    [JSON_KIND_PATH] = {JSON_KIND_TEXT, LETTERS "-_./", .expected = "a path below a folder"},
    [JSON_KIND_STAMP] = {JSON_KIND_TEXT, LETTERS "-_.:+~",
                         .expected = "letters, digits, -, _, ., :, + and ~"},
    [JSON_KIND_HASH] = {JSON_KIND_TEXT, "0123456789abcdef", 16, .expected = "16 hexadecimal digits"},
    [JSON_KIND_DIGEST] = {JSON_KIND_TEXT, "0123456789abcdef", 64, .expected = "64 hexadecimal digits"},
    [JSON_KIND_INTEGER] = {JSON_KIND_INTEGER, .min = -INT_MAX, .max = INT_MAX, .expected = "an integer"},
    [JSON_KIND_COUNT] = {JSON_KIND_INTEGER, .max = INT_MAX, .expected = "an integer of at least 0"},
    [JSON_KIND_WHOLE] = {JSON_KIND_WHOLE, .max = WHOLE_MAX, .expected = "a number from 0 to 2^53"},
    [JSON_KIND_REAL] = {JSON_KIND_REAL, .min = -REAL_MAX, .max = REAL_MAX,
                        .expected = "a number from -1e60 to 1e60"},
    [JSON_KIND_AMOUNT] = {JSON_KIND_REAL, .max = REAL_MAX, .expected = "a number from 0 to 1e60"},
    [JSON_KIND_SECONDS] = {JSON_KIND_REAL, .max = SECONDS_MAX, .expected = "a number from 0 to 1e10"},
    [JSON_KIND_SHARE] = {JSON_KIND_REAL, .max = 1.0, .expected = "a number from 0 to 1"},
    [JSON_KIND_SETTING] = {JSON_KIND_REAL, .min = -INT_MAX, .max = INT_MAX,
                           .expected = "a number from -2147483647 to 2147483647"},
};

static JsonKind stored_kind(JsonKind kind)
{
    return kind < JSON_KIND_FLAG ? rules[kind].stored : kind;
}

static bool text_is(JsonKind kind, const char *text)
{
    const char *const characters = rules[kind].characters;
    const size_t length = strlen(text);
    if (!characters)
        return kind == JSON_KIND_TEXT || text_is_printable(text);
    return length > 0 && strspn(text, characters) == length && strchr(LETTERS, text[0]) &&
           !strstr(text, "/.") && (rules[kind].length == 0 || rules[kind].length == length);
}

static bool in_range(JsonKind kind, double number)
{
    return number >= rules[kind].min && number <= rules[kind].max;
}

Status json_text_check(JsonKind kind, const char *text, const char *where)
{
    return text_is(kind, text) ? status_ok()
                               : bad_input("%s is '%.80s', expected %s", where, text, rules[kind].expected);
}

Status json_number_check(JsonKind kind, const json_t *value, const char *where)
{
    return json_is_number(value) && in_range(kind, json_number_value(value))
               ? status_ok()
               : json_unexpected(where, value, rules[kind].expected);
}

json_t *json_write_number(JsonKind kind, double value)
{
    if (!in_range(kind, value))
        return json_null();
    return kind == JSON_KIND_WHOLE ? json_integer((json_int_t)value) : json_real(value);
}

Status json_name_check(const char *name, size_t size, const char *where)
{
    return text_is(JSON_KIND_TERM, name) && strlen(name) < size
               ? status_ok()
               : bad_input("%s: the name \"%.64s\" must consist of at most %zu letters, digits, -, _ and .",
                           where, name, size - 1);
}

static Status text_borrow(const json_t *value, const char *where, void *member)
{
    *(const char **)member = json_string_value(value);
    return json_is_string(value) ? status_ok() : json_unexpected(where, value, "a text");
}

static const JsonCustom borrowed_text = {NULL, text_borrow, NULL};
const JsonTable json_texts = JSON_TABLE_STRICT(
    const char *, NULL, {.kind = JSON_KIND_CUSTOM, .size = sizeof(const char *), .custom = &borrowed_text});

json_t *json_number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Formats a place without snprintf. A place is formatted for every member, and snprintf would double the
 * time of reading. */
void json_place(char place[JSON_WHERE_BYTES], const char *where, const char *name, size_t index)
{
    enum { WHERE_MAX = 400, NAME_MOST = 64 };
    const size_t length = strnlen(where, WHERE_MAX);
    memcpy(place, where, length);
    char *end = place + length;
    if (!name) {
        snprintf(end, JSON_WHERE_BYTES - length, "[%zu]", index);
        return;
    }
    const bool in_member = strstr(where, ": ");
    memcpy(end, in_member ? "." : ": ", 2);
    end += in_member ? 1 : 2;
    const size_t named = strnlen(name, NAME_MOST);
    memcpy(end, name, named);
    end[named] = '\0';
}

Status json_unexpected(const char *where, const json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    Status status = bad_input("%s is %.80s, expected %s", where, text ? text : "something else", expected);
    free(text);
    return status;
}

/* ---- writing ---- */

bool json_set(json_t *object, const char *name, json_t *member)
{
    return json_object_set_new(object, name, member) == 0;
}

json_t *json_if_made(json_t *object, bool made)
{
    if (made)
        return object;
    json_decref(object);
    return NULL;
}

static int element_count(const JsonField *field, const void *from)
{
    return *(const int *)((const char *)from + field->count);
}

static bool is_empty(const JsonField *field, const void *from)
{
    const void *member = (const char *)from + field->offset;
    switch (stored_kind(field->kind)) {
    case JSON_KIND_TEXT:
        return *(const char *)member == '\0';
    case JSON_KIND_INTEGER:
        return *(const int *)member < 0;
    case JSON_KIND_FLAG:
        return !*(const bool *)member;
    case JSON_KIND_GROUP:
        return is_empty(&field->of->fields[0], member);
    case JSON_KIND_ARRAY:
    case JSON_KIND_LIST:
        return element_count(field, from) == 0;
    case JSON_KIND_CUSTOM:
        return field->custom->is_empty && field->custom->is_empty(member);
    case JSON_KIND_WHOLE:
    case JSON_KIND_REAL:
        return isnan(*(const double *)member);
    default:
        return false;
    }
}

static json_t *value_write(const JsonField *field, const void *from)
{
    const void *member = (const char *)from + field->offset;
    const char *elements = field->kind == JSON_KIND_LIST ? *(const char *const *)member : member;
    json_t *array;
    switch (stored_kind(field->kind)) {
    case JSON_KIND_TEXT:
        return json_text(member);
    case JSON_KIND_INTEGER:
        return in_range(field->kind, *(const int *)member) ? json_integer(*(const int *)member) : json_null();
    case JSON_KIND_FLAG:
        return json_boolean(*(const bool *)member);
    case JSON_KIND_WORD:
        return json_string(field->words[*(const int *)member]);
    case JSON_KIND_WHOLE:
    case JSON_KIND_REAL:
        return json_write_number(field->kind, *(const double *)member);
    case JSON_KIND_CUSTOM:
        return field->custom->write(member);
    case JSON_KIND_GROUP:
        return json_write(field->of, member);
    default:
        break;
    }
    array = json_array();
    for (int i = 0; array && i < element_count(field, from); i++) {
        const void *element = elements + (size_t)i * field->of->size;
        const JsonField *plain = field->of->fields[0].name ? NULL : field->of->fields;
        if (json_array_append_new(array,
                                  plain ? value_write(plain, element) : json_write(field->of, element))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

bool json_store(json_t *object, const JsonTable *table, const void *from)
{
    bool made = object != NULL;
    for (size_t i = 0; i < table->count && made; i++) {
        const JsonField *field = &table->fields[i];
        const bool empty = field->empty != JSON_EMPTY_WRITTEN && is_empty(field, from);
        if (!empty ||
            field->empty == JSON_EMPTY_NULL) /* if memory ran out, the value is NULL and json_set fails */
            made = json_set(object, field->name, empty ? json_null() : value_write(field, from));
    }
    return made;
}

json_t *json_write(const JsonTable *table, const void *from)
{
    json_t *object = json_object();
    return json_if_made(object, json_store(object, table, from));
}

/* ---- reading ---- */

static Status value_read(const JsonField *field, const json_t *value, const char *where, void *into);

/* Reads the elements of an array, either in place or into newly allocated memory. */
static Status elements_read(const JsonField *field, const json_t *value, const char *where, void *into)
{
    const JsonTable *table = field->of;
    void *member = (char *)into + field->offset;
    const size_t count = json_array_size(value);
    char *elements = member, place[JSON_WHERE_BYTES];
    if (!json_is_array(value) && !json_is_null(value))
        return json_unexpected(where, value, "an array, which is written in [ ]");
    if (field->kind == JSON_KIND_ARRAY && count > field->size / table->size)
        return bad_input("%s has %zu entries, expected at most %zu", where, count, field->size / table->size);
    if (field->kind == JSON_KIND_LIST) {
        *(char **)member = elements = memory_array(count, table->size);
        ALLOCATED(elements, where);
    }
    *(int *)((char *)into + field->count) = (int)count;
    for (size_t i = 0; i < count && table->initial; i++)
        memcpy(elements + i * table->size, table->initial, table->size);
    const JsonField *plain = table->fields[0].name ? NULL : table->fields;
    for (size_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(value, i);
        if (plain && stored_kind(plain->kind) == JSON_KIND_REAL && json_is_number(element) &&
            in_range(plain->kind, json_number_value(element))) { /* fast path for the most frequent case */
            ((double *)(void *)elements)[i] = json_number_value(element);
            continue;
        }
        const char *name = json_string_value(json_object_get(element, "name"));
        json_place(place, where, NULL, i);
        if (name)
            snprintf(place, sizeof place, "%.400s[%.64s]", where, name);
        STATUS_TRY(plain ? value_read(plain, element, place, elements + i * table->size)
                         : json_read(element, place, table, elements + i * table->size));
    }
    return status_ok();
}

static Status word_unexpected(const char *where, const json_t *value, const char *const *words)
{
    char expected[STATUS_TEXT_BYTES] = "";
    for (int i = 0; words[i]; i++)
        text_append(expected, sizeof expected, "%s%s", i > 0 ? ", " : "one of ", words[i]);
    return json_unexpected(where, value, expected);
}

static Status value_read(const JsonField *field, const json_t *value, const char *where, void *into)
{
    void *member = (char *)into + field->offset;
    const bool is_null = json_is_null(value);
    const char *const text = is_null ? "" : json_string_value(value);
    switch (stored_kind(field->kind)) {
    case JSON_KIND_TEXT:
        if (!text || (text[0] != '\0' && !text_is(field->kind, text)))
            return json_unexpected(where, value, rules[field->kind].expected);
        if (strlen(text) >= field->size)
            return json_unexpected(where, value, "a shorter text");
        snprintf(member, field->size, "%s", text);
        break;
    case JSON_KIND_INTEGER:
        if (is_null)
            break;
        if (!json_is_integer(value))
            return json_unexpected(where, value, rules[field->kind].expected);
        STATUS_TRY(json_number_check(field->kind, value, where));
        *(int *)member = (int)json_integer_value(value);
        break;
    case JSON_KIND_FLAG:
        if (!json_is_boolean(value))
            return json_unexpected(where, value, "true or false");
        *(bool *)member = json_is_true(value);
        break;
    case JSON_KIND_WHOLE:
    case JSON_KIND_REAL:
        if (!is_null)
            STATUS_TRY(json_number_check(field->kind, value, where));
        *(double *)member = is_null ? NAN : json_number_value(value);
        break;
    case JSON_KIND_WORD:
        for (int i = 0; field->words[i]; i++)
            if (json_is_string(value) && strcmp(field->words[i], json_string_value(value)) == 0) {
                *(int *)member = i;
                return status_ok();
            }
        return word_unexpected(where, value, field->words);
    case JSON_KIND_GROUP:
        return is_null ? status_ok() : json_read(value, where, field->of, member);
    case JSON_KIND_CUSTOM:
        return field->custom->read(value, where, member);
    default:
        return elements_read(field, value, where, into);
    }
    return status_ok();
}

enum { MEMBERS_BYTES = 256 };

/* Appends the names of the members of a file that people write. */
static void members_append(const JsonTable *table, char text[MEMBERS_BYTES])
{
    for (size_t i = 0; i < table->count && table->strict; i++)
        text_append(text, MEMBERS_BYTES, "%s%s", i > 0 ? ", " : "", table->fields[i].name);
}

Status json_read(const json_t *object, const char *where, const JsonTable *table, void *into)
{
    char place[JSON_WHERE_BYTES];
    if (!json_is_object(object)) {
        char expected[MEMBERS_BYTES];
        snprintf(expected, sizeof expected,
                 table->strict ? "an object { } with members such as " : "an object");
        members_append(table, expected);
        return json_unexpected(where, object, expected);
    }
    if (table->strict) {
        /* files written by people must not have unknown members or null values */
        const char *name = NULL;
        json_t *value = NULL;
        json_object_foreach((json_t *)object, name, value)
        {
            bool known = false;
            for (size_t i = 0; i < table->count && !known; i++)
                known = strcmp(table->fields[i].name, name) == 0;
            json_place(place, where, name, 0);
            if (!known) {
                char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
                char members[MEMBERS_BYTES] = "";
                members_append(table, members);
                Status status = bad_input("%s: unknown member \"%.64s\": %.80s (the members are %s)", where,
                                          name, text ? text : "something", members);
                free(text);
                return status;
            }
            if (json_is_null(value))
                return json_unexpected(place, value, "a value");
        }
    }
    for (size_t i = 0; i < table->count; i++) {
        const json_t *value = json_object_get(object, table->fields[i].name);
        if (!value)
            continue;
        json_place(place, where, table->fields[i].name, 0);
        STATUS_TRY(value_read(&table->fields[i], value, place, into));
    }
    return status_ok();
}

typedef struct Reals {
    double *values;
    int count;
} Reals;

static const JsonField reals_row = JSON_LIST(Reals, values, count, "values", &json_reals, WRITTEN);

json_t *json_write_reals(const double *values, int count)
{
    Reals reals = {(double *)values, count};
    return value_write(&reals_row, &reals);
}

Status json_read_reals(const json_t *array, const char *where, double **values, int *count)
{
    Reals reals = {NULL, 0};
    const Status status = value_read(&reals_row, array, where, &reals);
    OWNED double *read = reals.values;
    STATUS_TRY(status);
    *values = TAKE(read);
    *count = reals.count;
    return status_ok();
}

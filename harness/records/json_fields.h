/* A struct and its JSON object: one table of the struct's members serves reading and writing. A member of the
 * wrong type is an error that names it and its value; json_unpack_ex would name neither. */
#ifndef SKINBENCH_RECORDS_JSON_FIELDS_H
#define SKINBENCH_RECORDS_JSON_FIELDS_H

#include "datasets/base/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum JsonFieldKind {
    JSON_FIELD_TEXT,    /* char [size] */
    JSON_FIELD_INTEGER, /* int */
    JSON_FIELD_WHOLE,   /* double without a fraction, written as an integer; NAN is null */
    JSON_FIELD_REAL,    /* double; what is not finite is null */
    JSON_FIELD_FLAG,    /* bool */
    JSON_FIELD_TEXTS,   /* char [count][size], an array; those past the last are "" */
    JSON_FIELD_GROUP    /* a struct, or more members of this one: an object of `fields` [count] */
} JsonFieldKind;

/* How an empty member ("", false, NAN, an integer below 0) is written. */
typedef enum JsonFieldEmpty {
    JSON_EMPTY_WRITTEN, /* as it is; NAN as null */
    JSON_EMPTY_NULL,
    JSON_EMPTY_OMITTED
} JsonFieldEmpty;

typedef struct JsonField {
    const char *name; /* of the member in JSON */
    JsonFieldKind kind;
    size_t offset, size; /* of the member in the struct */
    JsonFieldEmpty empty;
    const struct JsonField *fields; /* of a group */
    size_t count;
} JsonField;

/* A row of a table whose member has the same name in C and in JSON; with another name; with a rule for empty. */
#define JSON_FIELD_AS(type, member, json_kind, json_name, if_empty)                                          \
    {                                                                                                        \
        .name = (json_name), .kind = (json_kind), .offset = offsetof(type, member),                          \
        .size = sizeof(((type *)0)->member), .empty = (if_empty)                                             \
    }
#define JSON_FIELD(type, member, kind) JSON_FIELD_AS(type, member, kind, #member, JSON_EMPTY_WRITTEN)
/* Texts of one size; a group: of the struct at `place` within the struct (0: of its own members). */
#define JSON_FIELD_TEXTS_OF(type, member, json_name)                                                         \
    {                                                                                                        \
        .name = (json_name), .kind = JSON_FIELD_TEXTS, .offset = offsetof(type, member),                     \
        .size = sizeof(((type *)0)->member[0]),                                                              \
        .count = sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0])                                \
    }
#define JSON_FIELD_GROUP_AT(place, json_name, table)                                                         \
    {                                                                                                        \
        .name = (json_name), .kind = JSON_FIELD_GROUP, .offset = (place), .fields = (table),                 \
        .count = JSON_FIELD_COUNT(table)                                                                     \
    }
#define JSON_FIELD_COUNT(table) (sizeof(table) / sizeof *(table))

/* Sets the members of `object`, which may be NULL (memory is out): then, and when a member cannot be made, the
 * status is STATUS_MACHINE. */
Status json_fields_write(json_t *object, const JsonField *fields, size_t count, const void *from);

/* A new object of a struct's members; NULL: memory is out. */
json_t *json_fields_new(const JsonField *fields, size_t count, const void *from);

/* Sets a member that was just made: false where it is NULL, or memory is out. */
bool json_put(json_t *object, const char *name, json_t *member);

/* Fills in the struct at `into`. What is absent keeps its value; null makes a text empty and a number NAN (an
 * integer keeps its value). `where` opens messages: "run.jsonl:3: dataset". STATUS_BAD_INPUT for an object that
 * is none, a member of another type, a text that is too long, a number that is no int. */
Status json_fields_read(const json_t *object, const char *where, const JsonField *fields, size_t count,
                        void *into);

/* The same of an object that stands in another under this name; nothing where it is absent or null. */
Status json_group_read(const json_t *object, const char *where, const char *name, const JsonField *fields,
                       size_t count, void *into);

enum { JSON_PLACE_BYTES = 512 };

/* "`where`.`member`", cut to fit: where of what stands in a member. */
void json_place(char place[JSON_PLACE_BYTES], const char *where, const char *member);

/* As json_fields_read, for files that people write: null, and members that are neither in the table nor among `others`
 * (closed by NULL, read by the caller; NULL: none), are errors, too. */
Status json_fields_read_strict(const json_t *object, const char *where, const JsonField *fields, size_t count,
                               const char *const *others, void *into);

/* STATUS_BAD_INPUT: "`where`.`member` is `value`, expected `expected`"; member "": `where` itself. */
Status json_unexpected(const char *where, const char *member, const json_t *value, const char *expected);

/* A JSON number, or null where there is none: JSON knows neither NAN nor infinity. */
json_t *json_number_or_null(double value);

#endif

/* Converts a struct to JSON and back by a table of its members. A value of the wrong type gives an error
 * that names its place and the value; json_unpack_ex would name neither. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/json_file.h"

/* The type of a member and its valid values. json_table.c has a row for each kind of text and number. */
typedef enum JsonKind {
    /* char [size]; "" means no text, for every kind */
    JSON_KIND_TEXT,   /* any text, to be escaped when shown */
    JSON_KIND_LABEL,  /* one line without control characters (text_is_printable) */
    JSON_KIND_NAME,   /* lower-case letters, digits and '-' */
    JSON_KIND_TERM,   /* letters, digits, '-', '_' and '.' */
    JSON_KIND_PATH,   /* terms separated by '/': a file below a known folder */
    JSON_KIND_STAMP,  /* letters, digits and "-_.:+~", for times, versions, commits */
    JSON_KIND_HASH,   /* 16 hexadecimal digits */
    JSON_KIND_DIGEST, /* 64 hexadecimal digits */
    /* int */
    JSON_KIND_INTEGER,
    JSON_KIND_COUNT, /* at least 0 */
    /* double; NAN is written as null. Squares and sums of valid numbers are finite. */
    JSON_KIND_WHOLE, /* integer of at least 0, written without a fraction */
    JSON_KIND_REAL,
    JSON_KIND_AMOUNT,  /* at least 0 */
    JSON_KIND_SECONDS, /* at least 0, at most a few centuries */
    JSON_KIND_SHARE,   /* 0 to 1 */
    JSON_KIND_SETTING, /* in the range of int */
    JSON_KIND_FLAG,    /* bool */
    JSON_KIND_WORD,    /* an enum, written as the name of its constant */
    JSON_KIND_GROUP,   /* a struct with its own table */
    JSON_KIND_ARRAY,   /* elements stored in place up to a maximum, and their int count */
    JSON_KIND_LIST,    /* elements behind a pointer, owned by the struct's user, and their int count */
    JSON_KIND_CUSTOM   /* converted by functions */
} JsonKind;

/* How to write an empty member: a text "", a flag false, NAN, a negative integer, no elements, or a group
 * whose first member is empty. A number outside the range of its kind is written as null. */
typedef enum JsonEmpty {
    JSON_EMPTY_WRITTEN, /* as its value; NAN as null */
    JSON_EMPTY_NULL,
    JSON_EMPTY_OMITTED
} JsonEmpty;

typedef struct JsonCustom {
    json_t *(*write)(const void *member); /* owned by the caller; NULL if out of memory */
    Status (*read)(const json_t *value, const char *where, void *member);
    bool (*is_empty)(const void *member); /* NULL: never */
} JsonCustom;

typedef struct JsonTable JsonTable;

typedef struct JsonField {
    const char *name; /* name in JSON; NULL: a list element that is not an object */
    JsonKind kind;
    size_t offset, size; /* offset and size in the struct */
    JsonEmpty empty;
    const char *const *words; /* names of the constants 0, 1, ..., NULL-terminated */
    const JsonTable *of;      /* table of a group, array or list */
    size_t count;             /* offset of an array's or list's int count */
    const JsonCustom *custom;
} JsonField;

struct JsonTable {
    const JsonField *fields;
    size_t count, size;  /* number of fields; bytes of the struct */
    const void *initial; /* initial value of a list element; NULL: all zero */
    bool strict;         /* for files written by people: null and unknown members are errors */
};

/* Rows, from the struct's type and the member's name in C. */
#define JSON_MEMBER(type, member) offsetof(type, member), sizeof(((type *)0)->member)
#define JSON_FIELD_AS(type, member, kind, name, empty)                                                       \
    {                                                                                                        \
        (name), JSON_KIND_##kind, JSON_MEMBER(type, member), JSON_EMPTY_##empty, NULL, NULL, 0, NULL         \
    }
#define JSON_FIELD(type, member, kind) JSON_FIELD_AS(type, member, kind, #member, WRITTEN)
#define JSON_WORD(type, member, name, words)                                                                 \
    {                                                                                                        \
        (name), JSON_KIND_WORD, JSON_MEMBER(type, member), JSON_EMPTY_WRITTEN, (words), NULL, 0, NULL        \
    }
#define JSON_GROUP(type, member, name, table, empty)                                                         \
    {                                                                                                        \
        (name), JSON_KIND_GROUP, JSON_MEMBER(type, member), JSON_EMPTY_##empty, NULL, (table), 0, NULL       \
    }
/* Members of the same struct that form an inner object in JSON. */
#define JSON_INNER(type, name, table)                                                                        \
    {                                                                                                        \
        (name), JSON_KIND_GROUP, 0, sizeof(type), JSON_EMPTY_WRITTEN, NULL, (table), 0, NULL                 \
    }
#define JSON_ARRAY(type, member, number, name, table, empty)                                                 \
    {                                                                                                        \
        (name), JSON_KIND_ARRAY, JSON_MEMBER(type, member), JSON_EMPTY_##empty, NULL, (table),               \
            offsetof(type, number), NULL                                                                     \
    }
/* The size is 0, because it is not used for a pointer or for custom functions. */
#define JSON_LIST(type, member, number, name, table, empty)                                                  \
    {                                                                                                        \
        (name), JSON_KIND_LIST, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, (table),                \
            offsetof(type, number), NULL                                                                     \
    }
#define JSON_CUSTOM(type, member, name, functions, empty)                                                    \
    {                                                                                                        \
        (name), JSON_KIND_CUSTOM, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, NULL, 0, (functions)  \
    }
/* A table of such rows. `initial` is the initial value of a list element. */
#define JSON_ROWS(...)                                                                                       \
    (const JsonField[]){__VA_ARGS__}, sizeof((const JsonField[]){__VA_ARGS__}) / sizeof(JsonField)
#define JSON_TABLE(type, ...)                                                                                \
    {                                                                                                        \
        JSON_ROWS(__VA_ARGS__), sizeof(type), NULL, false                                                    \
    }
#define JSON_TABLE_STRICT(type, initial, ...)                                                                \
    {                                                                                                        \
        JSON_ROWS(__VA_ARGS__), sizeof(type), (initial), true                                                \
    }

/* The table of a list of texts, each stored in place in [bytes]. */
#define JSON_TEXTS(bytes, text_kind, strict)                                                                 \
    {                                                                                                        \
        JSON_ROWS({.kind = JSON_KIND_##text_kind, .size = (bytes)}), (bytes), NULL, (strict)                 \
    }

/* Tables for lists of plain numbers and of texts (const char *). The texts point into the JSON that is
 * read. */
extern const JsonTable json_reals, json_seconds, json_integers, json_texts;

/* STATUS_BAD_INPUT if a text or number is not of the given kind: "`where` is `value`, expected ..." */
Status json_text_check(JsonKind kind, const char *text, const char *where);
Status json_number_check(JsonKind kind, const json_t *value, const char *where);
/* Makes a JSON number, or null if the value is outside the range of its kind (NAN and infinity always
 * are). */
json_t *json_write_number(JsonKind kind, double value);
/* STATUS_BAD_INPUT unless the name of a member at `where` is a term of fewer than `size` bytes. */
Status json_name_check(const char *name, size_t size, const char *where);

/* Makes an object from a struct. NULL if out of memory. */
json_t *json_write(const JsonTable *table, const void *from);
/* Adds a struct's members to an object, which may be NULL. Returns false if out of memory. */
bool json_store(json_t *object, const JsonTable *table, const void *from);

/* Sets one member and takes ownership of it. Returns false if it is NULL or if out of memory. */
bool json_set(json_t *object, const char *name, json_t *member);
/* Returns the object if it was made completely. Otherwise releases it and returns NULL. */
json_t *json_if_made(json_t *object, bool made);

/* Fills in the struct at `into`. Missing members keep their value; null makes a text empty, a number NAN
 * and a list empty. `where` begins messages: a file or a line of it, such as "run.jsonl:3".
 * STATUS_BAD_INPUT if the value is not an object, or a member has the wrong type, kind, length or range.
 * The caller must release lists even on failure. */
Status json_read(const json_t *object, const char *where, const JsonTable *table, void *into);

/* Convert numbers to a new JSON array and back. Reading allocates *values and turns null into NAN. */
json_t *json_write_reals(const double *values, int count);
Status json_read_reals(const json_t *array, const char *where, double **values, int *count);

/* STATUS_BAD_INPUT: "`where` is `value`, expected `expected`". */
Status json_unexpected(const char *where, const json_t *value, const char *expected);

enum { JSON_WHERE_BYTES = 512 };
/* Formats a place: "FILE: name", "FILE: member.name", or "where[index]" if the name is NULL. List elements
 * that have a name are called by it. */
void json_place(char place[JSON_WHERE_BYTES], const char *where, const char *name, size_t index);

/* Makes a JSON number, or null for NAN and infinity, which JSON does not have. */
json_t *json_number_or_null(double value);

/* Converts a struct to JSON and back, guided by a table of its members. If a value has the wrong type, the
 * message names its place and the value, which json_unpack_ex of jansson does not do. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/json_file.h"

/* The type of a member and its valid values. json_table.c has a row for each kind of text and number. */
typedef enum JsonKind {
    /* Texts: char [size], in which "" always means no text. */
    JSON_KIND_TEXT,   /* any text, to be escaped when shown */
    JSON_KIND_LABEL,  /* one line without control characters (text_is_printable) */
    JSON_KIND_NAME,   /* lower-case letters, digits and '-' */
    JSON_KIND_TERM,   /* letters, digits, '-', '_' and '.' */
    JSON_KIND_PATH,   /* path below a known folder: parts like JSON_KIND_TERM, separated by '/' */
    JSON_KIND_STAMP,  /* letters, digits and "-_.:+~", for times, versions and commits */
    JSON_KIND_HASH,   /* 16 hexadecimal digits */
    JSON_KIND_DIGEST, /* 64 hexadecimal digits */
    /* int */
    JSON_KIND_INTEGER,
    JSON_KIND_COUNT, /* int of at least 0 */
    /* Numbers of type double. NAN is written as null. Limits ensure that squares and sums of valid numbers
     * are finite. */
    JSON_KIND_WHOLE, /* integer of at least 0, written without a fraction */
    JSON_KIND_REAL,
    JSON_KIND_AMOUNT,  /* real number of at least 0 */
    JSON_KIND_SECONDS, /* real number from 0 to a few centuries */
    JSON_KIND_SHARE,   /* real number from 0 to 1 */
    JSON_KIND_SETTING, /* integer in the range of int */
    JSON_KIND_FLAG,    /* bool */
    JSON_KIND_WORD,    /* an enum, written as the name of its constant */
    JSON_KIND_GROUP,   /* a struct with its own table */
    JSON_KIND_ARRAY, /* elements stored in the struct, up to a maximum number, and an int that counts those in
                        use */
    JSON_KIND_LIST, /* elements behind a pointer, owned by the user of the struct, and an int that counts them
                     */
    JSON_KIND_CUSTOM /* value converted by functions */
} JsonKind;

/* How to write an empty member. These members are empty: a text "", a flag false, NAN, a negative integer,
 * a list without elements, and a group whose first member is empty. A number outside the range of its kind
 * is written as null. */
typedef enum JsonEmpty {
    JSON_EMPTY_WRITTEN, /* like any other value, but NAN as null */
    JSON_EMPTY_NULL,
    JSON_EMPTY_OMITTED
} JsonEmpty;

typedef struct JsonCustom {
    json_t *(*write)(const void *member); /* returns a value owned by the caller, or NULL if out of memory */
    Status (*read)(const json_t *value, const char *where, void *member);
    bool (*is_empty)(const void *member); /* NULL: never */
} JsonCustom;

typedef struct JsonTable JsonTable;

typedef struct JsonField {
    const char *name; /* name of the member in JSON; NULL for a list element that is not an object */
    JsonKind kind;
    size_t offset, size; /* offset in the struct and size, both in bytes */
    JsonEmpty empty;
    const char *const *words; /* names of the enum constants 0, 1, ..., followed by NULL */
    const JsonTable *of;      /* table of a group, array or list */
    size_t count;             /* offset of the int that counts the elements of an array or list */
    const JsonCustom *custom;
} JsonField;

struct JsonTable {
    const JsonField *fields;
    size_t count, size;  /* number of fields; size of the struct in bytes */
    const void *initial; /* initial value of a list element; NULL: all zero */
    bool strict;         /* whether null and unknown members are errors, as in files written by people */
};

/* The macros below make rows of a table from the type of a struct and the name of a member. */
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
/* A row that groups members of the same struct as an inner object in JSON. */
#define JSON_INNER(type, name, table)                                                                        \
    {                                                                                                        \
        (name), JSON_KIND_GROUP, 0, sizeof(type), JSON_EMPTY_WRITTEN, NULL, (table), 0, NULL                 \
    }
#define JSON_ARRAY(type, member, number, name, table, empty)                                                 \
    {                                                                                                        \
        (name), JSON_KIND_ARRAY, JSON_MEMBER(type, member), JSON_EMPTY_##empty, NULL, (table),               \
            offsetof(type, number), NULL                                                                     \
    }
/* A row for a list. Its size is 0 because the size of a pointer is not used. */
#define JSON_LIST(type, member, number, name, table, empty)                                                  \
    {                                                                                                        \
        (name), JSON_KIND_LIST, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, (table),                \
            offsetof(type, number), NULL                                                                     \
    }
#define JSON_CUSTOM(type, member, name, functions, empty)                                                    \
    {                                                                                                        \
        (name), JSON_KIND_CUSTOM, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, NULL, 0, (functions)  \
    }
/* A table made of rows. `initial` is the initial value of a list element. */
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

/* A table for a list of texts. Each text is stored in its list element as char [bytes]. */
#define JSON_TEXTS(bytes, text_kind, strict)                                                                 \
    {                                                                                                        \
        JSON_ROWS({.kind = JSON_KIND_##text_kind, .size = (bytes)}), (bytes), NULL, (strict)                 \
    }

/* Tables for lists of plain numbers, and for lists of texts (const char *) that point into the JSON being
 * read. */
extern const JsonTable json_reals, json_seconds, json_integers, json_texts;

/* Returns STATUS_BAD_INPUT with the message "`where` is `value`, expected ..." if a text or number is not
 * of the given kind. */
Status json_text_check(JsonKind kind, const char *text, const char *where);
Status json_number_check(JsonKind kind, const json_t *value, const char *where);
/* Makes a JSON number. Returns null if the value is outside the range of its kind; NAN and infinity always
 * are. */
json_t *json_write_number(JsonKind kind, double value);
/* Returns STATUS_BAD_INPUT unless the name of a member consists of letters, digits, '-', '_' and '.', and
 * is shorter than `size` bytes. */
Status json_name_check(const char *name, size_t size, const char *where);

/* Makes an object from a struct. Returns NULL if out of memory. */
json_t *json_write(const JsonTable *table, const void *from);
/* Adds a struct's members to an object, which may be NULL. Returns false if out of memory. */
bool json_store(json_t *object, const JsonTable *table, const void *from);

/* Sets one member and takes ownership of its value. Returns false if the value is NULL or if out of
 * memory. */
bool json_set(json_t *object, const char *name, json_t *member);
/* Returns the object if `made` is true. Otherwise releases it and returns NULL. */
json_t *json_if_made(json_t *object, bool made);

/* Fills in the struct at `into`. Missing members keep their value. A null makes a text or list empty and a
 * number NAN. Messages begin with `where`, such as "run.jsonl:3" for line 3 of a file. STATUS_BAD_INPUT if
 * the value is not an object, or if a member has the wrong type, kind, length or range. The caller must
 * release lists even on failure. */
Status json_read(const json_t *object, const char *where, const JsonTable *table, void *into);

/* Convert numbers to a new JSON array, and a JSON array to numbers. Reading allocates *values and converts
 * null to NAN. */
json_t *json_write_reals(const double *values, int count);
Status json_read_reals(const json_t *array, const char *where, double **values, int *count);

/* Returns STATUS_BAD_INPUT with the message "`where` is `value`, expected `expected`". */
Status json_unexpected(const char *where, const json_t *value, const char *expected);

enum { JSON_WHERE_BYTES = 512 };
/* Formats a place for messages: "FILE: name", "FILE: member.name", or "where[index]" if `name` is NULL. A
 * list element that has a name is called by that name. */
void json_place(char place[JSON_WHERE_BYTES], const char *where, const char *name, size_t index);

/* Makes a JSON number, or null for NAN and infinity, which JSON cannot represent. */
json_t *json_number_or_null(double value);

/* A struct and its JSON: one table of the struct's members serves reading and writing. A value of the wrong
 * type is an error that names its place and itself; json_unpack_ex would name neither. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/json_file.h"

/* What a member is and which values it may have; json_table.c has a row for each kind of text and number. */
typedef enum JsonKind {
    /* char [size]; "" is no text, whatever the kind */
    JSON_KIND_TEXT,   /* any text, which whoever shows it must escape */
    JSON_KIND_LABEL,  /* one line without control characters (text_is_printable) */
    JSON_KIND_NAME,   /* lower-case letters, digits and '-' */
    JSON_KIND_TERM,   /* letters, digits, '-', '_' and '.' */
    JSON_KIND_PATH,   /* terms with '/' between them: a file below a known folder */
    JSON_KIND_STAMP,  /* letters, digits and "-_.:+~": of times, versions, commits */
    JSON_KIND_HASH,   /* 16 hexadecimal digits */
    JSON_KIND_DIGEST, /* 64 hexadecimal digits */
    /* int */
    JSON_KIND_INTEGER,
    JSON_KIND_COUNT, /* at least 0 */
    /* double; NAN is null. Squares and sums of any number in range are finite */
    JSON_KIND_WHOLE, /* at least 0, without a fraction, written as an integer */
    JSON_KIND_REAL,
    JSON_KIND_AMOUNT,  /* at least 0 */
    JSON_KIND_SECONDS, /* at least 0, at most some centuries */
    JSON_KIND_SHARE,   /* 0 to 1 */
    JSON_KIND_SETTING, /* fits an int */
    JSON_KIND_FLAG,    /* bool */
    JSON_KIND_WORD,    /* an enum, by the names of its constants */
    JSON_KIND_GROUP,   /* a struct, with a table of its own */
    JSON_KIND_ARRAY,   /* elements in place, at most as many as fit, and their int count */
    JSON_KIND_LIST,    /* elements behind a pointer, owned by the struct's user, and their int count */
    JSON_KIND_CUSTOM   /* by functions */
} JsonKind;

/* How an empty member is written: a text "", a flag false, NAN, an integer below 0, no elements, a group
 * whose first member is empty. A number outside the range of its kind is written as null. */
typedef enum JsonEmpty {
    JSON_EMPTY_WRITTEN, /* as it is; NAN as null */
    JSON_EMPTY_NULL,
    JSON_EMPTY_OMITTED
} JsonEmpty;

typedef struct JsonCustom {
    json_t *(*write)(const void *member); /* new; NULL: out of memory */
    Status (*read)(const json_t *value, const char *where, void *member);
    bool (*is_empty)(const void *member); /* NULL: never */
} JsonCustom;

typedef struct JsonTable JsonTable;

typedef struct JsonField {
    const char *name; /* of the member in JSON; NULL: an element of a list that is no object */
    JsonKind kind;
    size_t offset, size; /* of the member in the struct */
    JsonEmpty empty;
    const char *const *words; /* of a word: the names of 0, 1, ..., NULL-terminated */
    const JsonTable *of;      /* of a group, array or list */
    size_t count;             /* of an array or list: offset of its int count */
    const JsonCustom *custom;
} JsonField;

struct JsonTable {
    const JsonField *fields;
    size_t count, size;  /* of the fields; of the struct in bytes */
    const void *initial; /* what an element of a list is before it is read; NULL: all zero */
    bool strict; /* for files that people write: null, and members that are not in the table, are errors */
};

/* Rows, by the struct's type and the member's name in C. */
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
/* Members of the same struct that stand in an object of their own. */
#define JSON_INNER(type, name, table)                                                                        \
    {                                                                                                        \
        (name), JSON_KIND_GROUP, 0, sizeof(type), JSON_EMPTY_WRITTEN, NULL, (table), 0, NULL                 \
    }
#define JSON_ARRAY(type, member, number, name, table, empty)                                                 \
    {                                                                                                        \
        (name), JSON_KIND_ARRAY, JSON_MEMBER(type, member), JSON_EMPTY_##empty, NULL, (table),               \
            offsetof(type, number), NULL                                                                     \
    }
/* The size of a pointer, or of what functions read and write, is not used. */
#define JSON_LIST(type, member, number, name, table, empty)                                                  \
    {                                                                                                        \
        (name), JSON_KIND_LIST, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, (table),                \
            offsetof(type, number), NULL                                                                     \
    }
#define JSON_CUSTOM(type, member, name, functions, empty)                                                    \
    {                                                                                                        \
        (name), JSON_KIND_CUSTOM, offsetof(type, member), 0, JSON_EMPTY_##empty, NULL, NULL, 0, (functions)  \
    }
/* A table of such rows. `initial`: what an element of a list is before it is read. */
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

/* The table of a list of texts, each in place [bytes]. */
#define JSON_TEXTS(bytes, text_kind, strict)                                                                 \
    {                                                                                                        \
        JSON_ROWS({.kind = JSON_KIND_##text_kind, .size = (bytes)}), (bytes), NULL, (strict)                 \
    }

/* Elements of lists of plain numbers, and of texts (const char *), which are borrowed from the JSON that is
 * read. */
extern const JsonTable json_reals, json_seconds, json_integers, json_texts;

/* STATUS_BAD_INPUT if a text or a number is not of a kind: "`where` is `value`, expected ..." */
Status json_text_check(JsonKind kind, const char *text, const char *where);
Status json_number_check(JsonKind kind, const json_t *value, const char *where);
/* A JSON number; null for a value outside the range of its kind, which also makes NAN and infinity null. */
json_t *json_write_number(JsonKind kind, double value);
/* Whether the name of a member at `where` is a term of less than `size` bytes; else STATUS_BAD_INPUT. */
Status json_name_check(const char *name, size_t size, const char *where);

/* A new object of a struct's members; NULL: out of memory. */
json_t *json_write(const JsonTable *table, const void *from);
/* Sets a struct's members in an object, which may be NULL; false: out of memory. */
bool json_store(json_t *object, const JsonTable *table, const void *from);

/* Sets one member; false where it is NULL, or out of memory. */
bool json_set(json_t *object, const char *name, json_t *member);
/* The object if it was made whole; else it is released, and NULL. */
json_t *json_if_made(json_t *object, bool made);

/* Fills in the struct at `into`. What is absent keeps its value; null makes a text empty, a number NAN and a
 * list empty. `where` opens messages, a file or its line: "run.jsonl:3". STATUS_BAD_INPUT for an object that
 * is none, a member of another type, a text that is too long or not of its kind, a number out of range, a
 * word that is none.
 * On failure, too, lists are the caller's to release. */
Status json_read(const json_t *object, const char *where, const JsonTable *table, void *into);

/* Plain numbers: a new array; and to new memory, null as NAN. */
json_t *json_write_reals(const double *values, int count);
Status json_read_reals(const json_t *array, const char *where, double **values, int *count);

/* STATUS_BAD_INPUT: "`where` is `value`, expected `expected`". */
Status json_unexpected(const char *where, const json_t *value, const char *expected);

enum { JSON_WHERE_BYTES = 512 };
/* "FILE: name", "FILE: member.name", or "where[index]" for a NULL name; elements that have a name are called
 * by it. */
void json_place(char place[JSON_WHERE_BYTES], const char *where, const char *name, size_t index);

/* A JSON number, or null where there is none: JSON knows neither NAN nor infinity. */
json_t *json_number_or_null(double value);

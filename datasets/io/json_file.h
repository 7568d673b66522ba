/* Reads JSON. Distinguishes invalid text from lack of memory, which jansson reports in the same way. Also
 * converts texts to JSON. */
#pragma once

#include "datasets/base/status.h"

#include <jansson.h>

/* Size limit of a JSON file or line. */
enum { JSON_TEXT_BYTES_MAX = 1 << 26 };

/* Reads a plain file (input_file.h) with a single JSON value and at most JSON_TEXT_BYTES_MAX bytes. A
 * byte-order mark is skipped, integers beyond 64 bits are read as reals, and duplicate names in an object
 * are refused. */
Status json_file_read(const char *path, json_t **out);

/* Parses a text, with the same rules as json_file_read. Messages begin with `where`. */
Status json_text_read(const char *text, size_t length, const char *where, json_t **out);

/* Memory for parsing many texts one after another. A parsed value is valid until the next text reuses the
 * memory, and must not be released; json_deep_copy makes a permanent copy. Initialise with {NULL}, release
 * with json_lines_clear. */
typedef struct JsonLines {
    struct JsonChunk *chunks;
} JsonLines;
Status json_line_read(JsonLines *lines, const char *text, size_t length, const char *where, json_t **out);
void json_lines_clear(JsonLines *lines);

/* Makes jansson allocate through memory_for_library (memory.h). The functions above call it. */
void json_memory_init(void);

/* Makes a JSON string from any external text. Bytes that are not UTF-8, which JSON does not allow, are
 * escaped as \xNN (datasets/base/text.h). Returns NULL if out of memory. */
json_t *json_text(const char *text);

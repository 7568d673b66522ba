/* Reads JSON and distinguishes invalid text from lack of memory, which jansson reports alike. Also converts
 * texts to JSON. */
#pragma once

#include "datasets/base/status.h"

#include <jansson.h>

/* Longer files and lines are refused. A byte-order mark is skipped, and integers beyond 64 bits are read as
 * reals. */
enum { JSON_TEXT_BYTES_MAX = 1 << 26 };

/* Reads a plain file (input_file.h) with a single value and at most JSON_TEXT_BYTES_MAX bytes. Duplicate
 * names in an object are refused. */
Status json_file_read(const char *path, json_t **out);

/* Like json_file_read, for a text. `where` begins the messages. */
Status json_text_read(const char *text, size_t length, const char *where, json_t **out);

/* Memory for parsing many texts one after another. A value is in this memory, which the next text reuses.
 * It must be neither released nor kept; json_deep_copy makes a permanent copy. Initialise with {NULL},
 * release with json_lines_clear. */
typedef struct JsonLines {
    struct JsonChunk *chunks;
} JsonLines;
Status json_line_read(JsonLines *lines, const char *text, size_t length, const char *where, json_t **out);
void json_lines_clear(JsonLines *lines);

/* Makes jansson allocate through memory_for_library (memory.h). The functions above call it. */
void json_memory_init(void);

/* Makes a JSON string of any external text. Bytes that are not UTF-8, which JSON cannot hold, are escaped
 * as \xNN (datasets/base/text.h). NULL if out of memory. */
json_t *json_text(const char *text);

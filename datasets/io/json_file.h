/* Reads JSON, and knows a text that is wrong from memory that is out, which jansson reports alike; and texts
 * on their way to JSON. */
#pragma once

#include "datasets/base/status.h"

#include <jansson.h>

/* A file or a line of results that is longer is none. A byte-order mark is skipped, and integers beyond 64
 * bits are read as reals. */
enum { JSON_TEXT_BYTES_MAX = 1 << 26 };

/* Reads a plain file (input_file.h) of one value and no more than JSON_TEXT_BYTES_MAX; a name that stands
 * twice in an object is refused. */
Status json_file_read(const char *path, json_t **out);

/* The same of a text; `where` stands in front of messages. */
Status json_text_read(const char *text, size_t length, const char *where, json_t **out);

/* The same of one text after the other, many: a value lies in the lines' memory, which the next one takes
 * over. It is neither released nor kept; json_deep_copy makes one that is. Starts as {NULL};
 * json_lines_clear. */
typedef struct JsonLines {
    struct JsonChunk *chunks;
} JsonLines;
Status json_line_read(JsonLines *lines, const char *text, size_t length, const char *where, json_t **out);
void json_lines_clear(JsonLines *lines);

/* Lets jansson allocate by memory_for_library (memory.h). The functions above call it. */
void json_memory_init(void);

/* Any text from outside, new: what is not UTF-8 in it, which JSON has no way to hold, is escaped as \xNN
 * (datasets/base/text.h). NULL: out of memory. */
json_t *json_text(const char *text);

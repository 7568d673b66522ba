/* JSON by jansson, whose failures are sorted into bad text and memory that is out. */
#include "datasets/io/json_file.h"

#include "datasets/base/memory.h"
#include "datasets/base/text.h"
#include "datasets/io/input_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an allocation has failed, the value may be whole but for a member, and the error anything. */
static Status parsed(json_t **out, const char *where, long failures)
{
    if (memory_failures() == failures)
        return status_ok();
    json_decref(*out);
    *out = NULL;
    return status_out_of_memory(where);
}

Status json_file_read(const char *path, json_t **out)
{
    json_error_t error;
    double size_bytes = 0.0;
    OWNED_BY(fclose) FILE *file = NULL;
    *out = NULL;
    STATUS_TRY(input_stream_open(path, &file, &size_bytes));
    if (size_bytes > JSON_TEXT_BYTES_MAX)
        return status_make(STATUS_BAD_INPUT, "%s: is larger than %d bytes", path, JSON_TEXT_BYTES_MAX);
    const long failures = memory_failures();
    json_set_alloc_funcs(memory_for_library, free);
    *out = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    STATUS_TRY(parsed(out, path, failures));
    if (!*out)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    return status_ok();
}

Status json_text_read(const char *text, size_t length, const char *where, json_t **out)
{
    json_error_t error;
    const long failures = memory_failures();
    json_set_alloc_funcs(memory_for_library, free);
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    STATUS_TRY(parsed(out, where, failures));
    if (!*out)
        return status_make(STATUS_BAD_INPUT, "%s: %s", where, error.text);
    return status_ok();
}

json_t *json_text(const char *text)
{
    json_t *value = json_string(text); /* NULL also where it is not UTF-8 */
    const size_t size = 4 * strlen(text) + 1;
    char *escaped = value ? NULL : memory_array(size, 1);
    if (escaped) {
        (void)text_escape_invalid(escaped, size, text);
        value = json_string(escaped);
        memory_free(escaped);
    }
    return value;
}

#include "datasets/io/json_file.h"

#include "datasets/base/memory.h"

#include <errno.h>
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
    *out = NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: cannot be opened: %s", path,
                           strerror(errno));
    const long failures = memory_failures();
    json_set_alloc_funcs(memory_for_library, free);
    *out = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    Status status = parsed(out, path, failures);
    if (status.code == STATUS_OK && !*out)
        status = status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    return status;
}

Status json_text_read(const char *text, size_t length, const char *where, json_t **out)
{
    json_error_t error;
    const long failures = memory_failures();
    json_set_alloc_funcs(memory_for_library, free);
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    Status status = parsed(out, where, failures);
    if (status.code == STATUS_OK && !*out)
        status = status_make(STATUS_BAD_INPUT, "%s: %s", where, error.text);
    return status;
}

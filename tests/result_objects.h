/* Reads the lines of result files as arrays of JSON objects. */
#pragma once

#include "tests/support.h"

#include "harness/records/files/results.h"

/* Appends lines to the array *list, which the first lines make. */
typedef struct ResultObjects {
    const char *path;
    json_t **list;
} ResultObjects;

static inline Status objects_append(void *context, const ResultText *lines, size_t count)
{
    ResultObjects *objects = context;
    CLEANUP(json_lines_clear) JsonLines parsed = {NULL};
    *objects->list = *objects->list ? *objects->list : json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = NULL;
        STATUS_TRY(result_text_read(&lines[i], objects->path, &parsed, &object));
        json_array_append_new(*objects->list, json_deep_copy(object));
    }
    return status_ok();
}

/* Reads a whole file; *list is NULL on failure. */
static inline Status results_read(const char *path, json_t **list, bool *torn)
{
    ResultObjects objects = {path, list};
    *list = NULL;
    const Status status = results_each(path, objects_append, &objects, torn);
    if (status.code == STATUS_OK)
        return status;
    json_decref(*list);
    *list = NULL;
    return status;
}

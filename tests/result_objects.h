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
    JsonLines parsed = {NULL};
    Status status = status_ok();
    *objects->list = *objects->list ? *objects->list : json_array();
    for (size_t i = 0; i < count && status.code == STATUS_OK; i++) {
        json_t *object = NULL;
        status = result_text_read(&lines[i], objects->path, &parsed, &object);
        if (status.code == STATUS_OK)
            json_array_append_new(*objects->list, json_deep_copy(object));
    }
    json_lines_clear(&parsed);
    return status;
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

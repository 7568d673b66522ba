/* Reads result files line by line, refuses what is none of them, and puts their lines in order. */
#include "harness/records/files/result_lines.h"

#include "datasets/base/memory.h"
#include "datasets/io/json_table.h"
#include "harness/records/files/environment_record.h"
#include "harness/records/files/results.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_line_place(const ResultLine *line, char place[LINE_PLACE_BYTES])
{
    snprintf(place, LINE_PLACE_BYTES, "%s:%zu", line->path, line->number);
}

Status result_lines_add(ResultLines *lines, const char *path, json_t *objects)
{
    json_t **files = memory_grow(lines->files, (size_t)lines->file_count, sizeof(json_t *));
    if (!files) {
        json_decref(objects);
        return status_out_of_memory("results");
    }
    lines->files = files;
    lines->files[lines->file_count++] = objects;
    for (size_t i = 0; i < json_array_size(objects); i++) {
        ResultLine *items = memory_grow(lines->items, lines->count, sizeof *items);
        if (!items)
            return status_out_of_memory("results");
        lines->items = items;
        ResultLine *line = &items[lines->count];
        *line = (ResultLine){
            .json = json_array_get(objects, i), .path = path, .number = i + 1, .file = lines->file_count - 1};
        line->is_environment = json_is_environment_record(line->json);
        const char *time = json_string_value(json_object_get(line->json, "time"));
        snprintf(line->time, sizeof line->time, "%s", time ? time : "");
        if (i > 0 && strcmp(line->time, line[-1].time) < 0)
            memcpy(line->time, line[-1].time, sizeof line->time);
        const json_t *schema = json_object_get(line->json, "schema");
        char place[LINE_PLACE_BYTES], member[JSON_WHERE_BYTES];
        result_line_place(line, place);
        if (!schema)
            return status_make(STATUS_BAD_INPUT, "%s: has no schema, so it is not a line of a result file",
                               place);
        if (json_is_integer(schema) && json_integer_value(schema) > RESULT_SCHEMA)
            return status_make(STATUS_BAD_INPUT,
                               "%s: is of schema %" JSON_INTEGER_FORMAT
                               ", newer than what this skinbench reads (%d); use the one that wrote it",
                               place, json_integer_value(schema), RESULT_SCHEMA);
        json_place(member, place, "schema", 0);
        STATUS_TRY(json_is_integer(schema) && json_integer_value(schema) == RESULT_SCHEMA
                       ? status_ok()
                       : json_unexpected(member, schema, "1"));
        lines->count++;
    }
    return status_ok();
}

static int line_order(const void *first, const void *second)
{
    const ResultLine *a = first, *b = second;
    const int time = strcmp(a->time, b->time);
    if (a->is_environment != b->is_environment)
        return a->is_environment ? -1 : 1;
    if (time != 0)
        return time;
    return a->file != b->file ? (a->file < b->file ? -1 : 1) : a->number < b->number ? -1 : 1;
}

Status result_lines_read(const char *const *paths, int count, ResultLines *out, bool *torn)
{
    CLEANUP(result_lines_clear) ResultLines lines = {.items = NULL};
    *out = lines;
    for (int i = 0; i < count; i++) {
        json_t *objects = NULL;
        bool is_torn = false;
        STATUS_TRY(results_read(paths[i], &objects, &is_torn));
        const size_t read = json_array_size(objects);
        STATUS_TRY(result_lines_add(&lines, paths[i], objects));
        if (read == 0)
            return status_make(STATUS_BAD_INPUT, "%s: holds no results", paths[i]);
        if (is_torn && !torn)
            return status_make(
                STATUS_BAD_INPUT,
                "%s:%zu: the last line is torn: its run was killed, or the file was truncated; "
                "the same run resumes it, and 'skinbench merge' makes a file without the line",
                paths[i], read + 1);
        if (torn)
            torn[i] = is_torn;
    }
    if (lines.count > 0)
        qsort(lines.items, lines.count, sizeof *lines.items, line_order);
    *out = lines;
    lines = (ResultLines){.items = NULL};
    return status_ok();
}

void result_lines_clear(ResultLines *lines)
{
    for (int i = 0; i < lines->file_count; i++)
        json_decref(lines->files[i]);
    memory_free(lines->files);
    memory_free(lines->items);
    *lines = (ResultLines){.items = NULL};
}

/* Reads result files line by line, refuses what is none of them, and puts their lines in order. */
#include "harness/records/files/result_lines.h"

#include "datasets/io/json_table.h"
#include "harness/records/files/record_json.h"
#include "harness/records/files/results.h"

static void result_line_clear(ResultLine *line)
{
    if (line->record)
        record_clear(line->record);
    memory_free(line->record);
    memory_free(line->environment);
    free(line->text);
    line->record = NULL;
    line->environment = NULL;
    line->text = NULL;
}

/* The lines of one file as they are read. */
typedef struct FileLines {
    ResultLines *lines;
    const char *path;
    size_t before; /* lines of the files before it */
} FileLines;

static Status line_add(void *context, const json_t *json)
{
    const FileLines *file = context;
    ResultLines *lines = file->lines;
    char place[LINE_PLACE_BYTES], member[JSON_WHERE_BYTES];
    GROW(lines->items, lines->count, "results");
    ResultLine *line = &lines->items[lines->count++];
    *line = (ResultLine){.number = lines->count - file->before,
                         .file = lines->file_count - 1,
                         .is_environment = json_is_environment_record(json)};
    snprintf(place, sizeof place, "%s:%zu", file->path, line->number);
    /* Its place in the order. */
    const char *time = json_string_value(json_object_get(json, "time"));
    snprintf(line->time, sizeof line->time, "%s", time ? time : "");
    if (line->number > 1 && strcmp(line->time, line[-1].time) < 0)
        memcpy(line->time, line[-1].time, sizeof line->time);
    /* Its schema. */
    const json_t *schema = json_object_get(json, "schema");
    if (!schema)
        return status_make(STATUS_BAD_INPUT, "%s: has no schema, so it is not a line of a result file",
                           place);
    if (json_is_integer(schema) && json_integer_value(schema) > RESULT_SCHEMA)
        return status_make(STATUS_BAD_INPUT,
                           "%s: is of schema %" JSON_INTEGER_FORMAT
                           ", newer than what this skinbench reads (%d); use the one that wrote it",
                           place, json_integer_value(schema), RESULT_SCHEMA);
    json_place(member, place, "schema", 0);
    if (!json_is_integer(schema) || json_integer_value(schema) != RESULT_SCHEMA)
        return json_unexpected(member, schema, "1");
    /* What it says. */
    if (line->is_environment) {
        ALLOCATE(line->environment, 1, "results");
        STATUS_TRY(environment_record_from_json(json, place, line->environment));
    } else {
        ALLOCATE(line->record, 1, "results");
        STATUS_TRY(record_from_json(json, place, line->record));
        /* Most cells have the parameters of the one before. */
        const Record *before = line->number > 1 ? line[-1].record : NULL;
        if (before && json_equal(before->cell.parameters, line->record->cell.parameters)) {
            argument_free(line->record->cell.parameters);
            line->record->cell.parameters = json_incref(before->cell.parameters);
        }
    }
    if (!lines->texts)
        return status_ok();
    result_line_clear(line);
    line->text = results_line(json, &line->length);
    return line->text ? status_ok() : status_out_of_memory("results");
}

Status result_lines_add(ResultLines *lines, const char *path, const json_t *objects)
{
    FileLines file = {lines, path, lines->count};
    lines->file_count++;
    for (size_t i = 0; i < json_array_size(objects); i++)
        STATUS_TRY(line_add(&file, json_array_get(objects, i)));
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

Status result_lines_read(ResultLines *lines, const char *const *paths, int count, bool *torn)
{
    for (int i = 0; i < count; i++) {
        FileLines file = {lines, paths[i], lines->count};
        bool is_torn = false;
        lines->file_count++;
        STATUS_TRY(results_each(paths[i], line_add, &file, &is_torn));
        const size_t read = lines->count - file.before;
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
    if (lines->count > 0)
        qsort(lines->items, lines->count, sizeof *lines->items, line_order);
    return status_ok();
}

void result_lines_clear(ResultLines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        result_line_clear(&lines->items[i]);
    memory_free(lines->items);
    *lines = (ResultLines){.items = NULL};
}

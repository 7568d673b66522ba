/* Reads result files line by line, refuses files of another kind, and sorts the lines. */
#include "harness/records/files/result_lines.h"

#include "datasets/base/address_space.h"
#include "datasets/io/json_table.h"
#include "harness/records/files/record_json.h"

static void result_line_clear(ResultLine *line)
{
    if (line->record)
        record_clear(line->record);
    FREE_ALL(line->record, line->environment);
    free(line->text);
    line->record = NULL;
    line->environment = NULL;
    line->text = NULL;
}

/* The state of a file whose lines are being read. */
typedef struct FileLines {
    ResultLines *lines;
    const char *path;
    size_t before; /* number of lines in earlier files */
} FileLines;

/* Fills in the content of a line, whose number and file are already set. */
static Status line_fill(const FileLines *file, const json_t *json, ResultLine *line)
{
    char place[LINE_PLACE_BYTES], member[JSON_WHERE_BYTES];
    snprintf(place, sizeof place, "%s:%zu", file->path, line->number);
    line->is_environment = json_is_environment_record(json);
    const char *time = json_string_value(json_object_get(json, "time"));
    snprintf(line->time, sizeof line->time, "%s", time ? time : "");
    const json_t *schema = json_object_get(json, "schema");
    if (!schema)
        return bad_input("%s: has no schema, so it is not a line of a result file", place);
    if (json_is_integer(schema) && json_integer_value(schema) > RESULT_SCHEMA)
        return bad_input("%s: is of schema %" JSON_INTEGER_FORMAT
                         ", which is newer than this skinbench can read (%d); use the version that wrote it",
                         place, json_integer_value(schema), RESULT_SCHEMA);
    json_place(member, place, "schema", 0);
    if (!json_is_integer(schema) || json_integer_value(schema) != RESULT_SCHEMA)
        return json_unexpected(member, schema, "1");
    if (line->is_environment) {
        ALLOCATE(line->environment, 1, "results");
        STATUS_TRY(environment_record_from_json(json, place, line->environment));
    } else {
        ALLOCATE(line->record, 1, "results");
        STATUS_TRY(record_from_json(json, place, line->record));
    }
    if (!file->lines->texts)
        return status_ok();
    result_line_clear(line);
    line->text = results_line(json, &line->length);
    return line->text ? status_ok() : status_out_of_memory("results");
}

/* Corrects the time of a line that is earlier than the time of the line before it. To save memory, a cell
 * shares its parameters with the cell before it if they are equal. */
static void line_time_repair(ResultLine *line)
{
    ResultLine *before = line->number > 1 ? line - 1 : NULL;
    if (before && strcmp(line->time, before->time) < 0)
        memcpy(line->time, before->time, sizeof line->time);
    if (before && before->record && line->record &&
        json_equal(before->record->cell.parameters, line->record->cell.parameters)) {
        argument_free(line->record->cell.parameters);
        line->record->cell.parameters = json_incref(before->record->cell.parameters);
    }
}

/* Parses a batch of lines on all processors, if the batch is large enough and there is memory for
 * threads. */
static Status batch_add(void *context, const ResultText *texts, size_t count)
{
    enum { LINES_MIN = 64, THREADS_BYTES = 512 << 20 };
    const FileLines *file = context;
    const bool many = count >= LINES_MIN && address_space_has(THREADS_BYTES);
    LOCAL_ARRAY(Status, read, count, "results");
    ResultLines *const lines = file->lines;
    for (size_t i = 0; i < count; i++) {
        GROW(lines->items, lines->count, "results");
        const size_t number = ++lines->count - file->before;
        lines->items[lines->count - 1] = (ResultLine){.number = number, .file = lines->file_count - 1};
    }
    ResultLine *const first = lines->items + lines->count - count;
#pragma omp parallel if (many)
    {
        JsonLines parsed = {NULL};
        json_t *json = NULL;
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < count; i++) {
            read[i] = result_text_read(&texts[i], file->path, &parsed, &json);
            if (read[i].code == STATUS_OK)
                read[i] = line_fill(file, json, &first[i]);
        }
        json_lines_clear(&parsed);
    }
    for (size_t i = 0; i < count; i++) {
        STATUS_TRY(read[i]);
        line_time_repair(&first[i]);
    }
    return status_ok();
}

Status result_lines_open(ResultLines *lines, const char *path, ResultsFile **out, bool *torn)
{
    FileLines file = {lines, path, lines->count};
    lines->file_count++;
    return results_open(path, batch_add, &file, out, torn);
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
        STATUS_TRY(results_each(paths[i], batch_add, &file, &is_torn));
        const size_t read = lines->count - file.before;
        if (read == 0)
            return bad_input("%s: holds no results", paths[i]);
        if (is_torn && !torn)
            return bad_input("%s:%zu: the last line is torn: its run was killed, or the file was truncated; "
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

/* skinbench table NAME: runs a published table on the data there is, and prints both beside each other. */
#include "harness/commands/commands.h"

#include "harness/bench/bench.h"
#include "harness/commands/bench_limits.h"
#include "harness/commands/output.h"
#include "harness/report/record_tables.h"
#include "harness/tables/published.h"
#include "harness/tables/table_run.h"
#include "harness/tables/table_tell.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const CommandOption table_options[] = {
    {"data", "FOLDER", "where the data sets are: NAME.h5 or NAME.tar.xz (default: only generated stand-ins)"},
    {"output", "RUN.jsonl", "append the results here, and resume an existing file (default: not kept)"},
    BENCH_LIMIT_OPTIONS("8"),
    {"format", "FORMAT", "markdown, csv or latex (default: markdown)"},
    {NULL, NULL, NULL},
};

/* Where results and imported archives go: beside the result file, or in a folder that is removed. */
typedef struct Place {
    char folder[PUBLISHED_PATH_BYTES], file[PUBLISHED_PATH_BYTES], cache[PUBLISHED_PATH_BYTES];
    bool temporary;
} Place;

static Status place_choose(const CommandLine *line, Place *place)
{
    const char *output = command_line_value(line, "output"), *slash = output ? strrchr(output, '/') : NULL;
    const char *temporary = getenv("TMPDIR");
    place->temporary = !output;
    if (place->temporary) {
        snprintf(place->folder, sizeof place->folder - 32, "%s/skinbench-XXXXXX",
                 temporary && *temporary ? temporary : "/tmp");
        if (!mkdtemp(place->folder))
            return status_make(STATUS_MACHINE, "%s: cannot make a temporary folder", place->folder);
        snprintf(place->file, sizeof place->file, "%.*s/table.jsonl", PUBLISHED_PATH_BYTES - 32,
                 place->folder);
    } else {
        snprintf(place->folder, sizeof place->folder, "%.*s", slash ? (int)(slash - output) : 1,
                 slash ? output : ".");
        snprintf(place->file, sizeof place->file, "%s", output);
    }
    snprintf(place->cache, sizeof place->cache, "%.*s/imported", PUBLISHED_PATH_BYTES - 32,
             place->folder[0] ? place->folder : "/");
    return status_ok();
}

static void files_remove(const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[PUBLISHED_PATH_BYTES + 512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

static void place_leave(const Place *place)
{
    if (!place->temporary || place->folder[0] == '\0')
        return;
    files_remove(place->cache);
    files_remove(place->folder);
}

static Status cells_print_json(const json_t *published, const json_t *latest)
{
    static const char *const lists[] = {"rows", "stand_ins"};
    const json_t *columns = json_object_get(published, "columns");
    Status status = status_ok();
    for (size_t l = 0; l < 2; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            for (size_t c = 0; c < json_array_size(columns) && status.code == STATUS_OK; c++) {
                const json_t *row = json_array_get(rows, r), *column = json_array_get(columns, c);
                TableCell cell = table_cell_find(published, row, column, latest);
                status = output_json(json_pack(
                    "{s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:b}", "table", json_text_at(published, "name"),
                    "row", json_text_at(row, "name"), "column", json_text_at(column, "name"), "quantity",
                    json_text_at(column, "quantity"), "published", json_number_or_null(cell.published),
                    "measured", json_number_or_null(cell.measured), "state",
                    table_cell_state_name(cell.state), "generated", l == 1));
            }
    }
    return status;
}

static Status table_print(const CommandLine *line, const json_t *published, const json_t *records,
                          TableFormat format)
{
    TextTable *parts[TABLE_PARTS_MAX] = {NULL};
    json_t *latest = NULL;
    int count = 0;
    Status status;
    STATUS_TRY(records_latest(records, &latest));
    if (command_line_json(line)) {
        status = cells_print_json(published, latest);
        goto done;
    }
    if (format == TABLE_CSV) {
        STATUS_TRY(table_long(published, latest, &parts[0]));
        count = 1;
    } else {
        STATUS_TRY(table_tell(published, latest, parts, &count));
    }
    for (int i = 0; i < count; i++) {
        text_table_write(parts[i], format, stdout);
        if (format != TABLE_CSV)
            putchar('\n');
    }
    const json_t *notes = json_object_get(published, "notes");
    for (size_t i = 0; i < json_array_size(notes) && format == TABLE_MARKDOWN; i++)
        printf("%s\n", json_string_value(json_array_get(notes, i)));
done:
    for (int i = 0; i < count; i++)
        text_table_free(parts[i]);
    json_decref(latest);
    return status;
}

static void note_print(void *context, const char *text)
{
    output_note(context, "%s", text);
}

static Status table_command_run(const CommandLine *line)
{
    Place place = {.temporary = false};
    Bench bench = {.threads = command_line_threads(line),
                   .progress = command_line_progress(line),
                   .note = note_print,
                   .note_context = (void *)line};
    TableSources sources = {.folder = command_line_value(line, "data"), .cache = place.cache};
    TableFormat format = TABLE_MARKDOWN;
    json_t *published = NULL;
    Status status;
    if (command_line_flag(line, "format"))
        STATUS_TRY(table_format_find(command_line_value(line, "format"), &format));
    if (sources.folder && access(sources.folder, R_OK | X_OK) != 0) {
        status = status_make(STATUS_BAD_INPUT, "%s: no such folder of data sets", sources.folder);
        goto done;
    }
    STATUS_TRY(bench_limits_read(line, 8.0, &bench));
    STATUS_TRY(published_read(command_line_argument(line, 0), &published));
    STATUS_TRY(place_choose(line, &place));
    bench.path = place.file;
    STATUS_TRY(bench_open(&bench));
    STATUS_TRY(table_run(published, &sources, &bench));
    STATUS_TRY(table_print(line, published, bench.records, format));
done:
    bench_close(&bench);
    place_leave(&place);
    json_decref(published);
    return status;
}

const Command command_table = {
    .name = "table",
    .synopsis = "NAME [--data FOLDER] [-o RUN.jsonl] [--format markdown|csv|latex]",
    .summary = "run a published table on the data sets that are there; print published beside measured",
    .options = table_options,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = table_command_run,
};

/* skinbench report RUN.jsonl... -o DIR */
#include "harness/commands/commands.h"

#include "datasets/base/memory.h"
#include "harness/records/json_table.h"
#include "harness/report/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_BYTES = 4096 };

/* Archives were imported beside the result file (table_work.h). */
static Status scenes_read(const CommandLine *line, char cache[CACHE_BYTES], SceneSources *out)
{
    const char *run = command_line_argument(line, 0), *slash = strrchr(run, '/');
    const char *data = command_line_value(line, "data");
    const int fits = snprintf(cache, CACHE_BYTES, "%.*simported", slash ? (int)(slash - run) + 1 : 0, run);
    *out = (SceneSources){.tables = {.folder = data, .cache = fits < CACHE_BYTES ? cache : NULL},
                          .threads = command_line_threads(line)};
    if (data && access(data, R_OK | X_OK) != 0)
        return status_make(STATUS_BAD_INPUT, "%s: no such folder of data sets", data);
    return command_line_real(line, "scene-time", 8.0, 0.0, 86400.0, &out->budget_s);
}

/* The names of the files without their folders, as the report names what it is of; for memory_free. */
static char *sources_format(const CommandLine *line)
{
    const int count = command_line_argument_count(line);
    size_t size = 1, used = 0;
    for (int i = 0; i < count; i++)
        size += strlen(command_line_argument(line, i)) + 2;
    char *text = memory_array(size, 1);
    for (int i = 0; text && i < count; i++) {
        const char *path = command_line_argument(line, i), *slash = strrchr(path, '/');
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", slash ? slash + 1 : path);
    }
    return text;
}

static json_t *sources_json(const CommandLine *line)
{
    json_t *array = json_array();
    bool made = array != NULL;
    for (int i = 0; i < command_line_argument_count(line) && made; i++)
        made = json_array_append_new(array, json_text(command_line_argument(line, i))) == 0;
    return json_if_made(array, made);
}

static Status report_run(const CommandLine *line)
{
    const char *folder = NULL;
    char *sources = sources_format(line);
    char cache[CACHE_BYTES];
    SceneSources scenes;
    RecordStore *records = NULL;
    char *json[2] = {NULL, NULL}; /* without figures, and with */
    Status status = sources ? status_ok() : status_out_of_memory("the names of results");
    STATUS_TRY(status);
    STATUS_TRY(command_line_required(line, "output", &folder));
    STATUS_TRY(scenes_read(line, cache, &scenes));
    STATUS_TRY(record_store_read(command_line_arguments(line), command_line_argument_count(line), &records));
    for (int figures = 0; figures < 2 && command_line_json(line); figures++)
        STATUS_TRY(output_json_line(json_pack("{s:o, s:o, s:b}", "report", json_text(folder), "sources",
                                              sources_json(line), "figures", figures),
                                    &json[figures]));
    status = report_write(records, sources, &scenes, folder, command_line_progress(line));
    if (status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE) {
        if (command_line_json(line))
            puts(json[status.code == STATUS_OK]);
        else
            output_note(line, "wrote %s/index.html and report.md", folder);
    }
done:
    memory_free(sources);
    free(json[0]);
    free(json[1]);
    record_store_close(records);
    return status;
}

const Command command_report = {
    .name = "report",
    .synopsis = "RUN.jsonl... -o FOLDER [--data FOLDER]",
    .summary = "write a report of result files: a page, Markdown, CSV, LaTeX and figures (SVG, PDF, PNG)",
    .options =
        (const CommandOption[]){
            {"output", "FOLDER", "the report; an earlier report there is replaced in one step"},
            {"data", "FOLDER",
             "where the data sets of its 3D view are, NAME.h5 or NAME.tar.xz (default: only generated ones)"},
            {"scene-time", "SECONDS",
             "for skinning and fitting what the 3D view shows (default: 8; 0: there is none)"},
            {NULL, NULL, NULL},
        },
    .arguments = {1, -1},
    .run = report_run,
};

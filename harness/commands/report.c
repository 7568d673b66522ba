/* skinbench report RUN.jsonl -o DIR */
#include "harness/commands/commands.h"

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

static Status report_run(const CommandLine *line)
{
    const char *source = command_line_argument(line, 0), *folder = NULL;
    char cache[CACHE_BYTES];
    SceneSources scenes;
    RecordStore *records = NULL;
    char *json[2] = {NULL, NULL}; /* without figures, and with */
    bool torn = false;
    Status status;
    STATUS_TRY(command_line_required(line, "output", &folder));
    STATUS_TRY(scenes_read(line, cache, &scenes));
    STATUS_TRY(record_store_read(source, &records, &torn));
    if (torn)
        output_note(line, "%s: its last line is torn and left out", source);
    if (record_store_line_count(records) == 0)
        STATUS_TRY(status_make(STATUS_BAD_INPUT, "%s: holds no results", source));
    for (int figures = 0; figures < 2 && command_line_json(line); figures++)
        STATUS_TRY(output_json_line(json_pack("{s:o, s:o, s:b}", "report", json_text(folder), "source",
                                              json_text(source), "figures", figures),
                                    &json[figures]));
    status = report_write(records, source, &scenes, folder, command_line_progress(line));
    if (status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE) {
        if (command_line_json(line))
            puts(json[status.code == STATUS_OK]);
        else
            output_note(line, "wrote %s/index.html and report.md", folder);
    }
done:
    free(json[0]);
    free(json[1]);
    record_store_close(records);
    return status;
}

const Command command_report = {
    .name = "report",
    .synopsis = "RUN.jsonl -o FOLDER [--data FOLDER]",
    .summary = "write a report of a result file: a page, Markdown, CSV, LaTeX and figures (SVG, PDF, PNG)",
    .options =
        (const CommandOption[]){
            {"output", "FOLDER", "the report; an earlier report there is replaced in one step"},
            {"data", "FOLDER",
             "where the data sets of its 3D view are, NAME.h5 or NAME.tar.xz (default: only generated ones)"},
            {"scene-time", "SECONDS",
             "for skinning and fitting what the 3D view shows (default: 8; 0: there is none)"},
            {NULL, NULL, NULL},
        },
    .arguments = {1, 1},
    .run = report_run,
};

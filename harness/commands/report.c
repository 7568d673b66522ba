/* skinbench report RUN.jsonl -o DIR */
#include "harness/commands/commands.h"

#include "harness/records/json_table.h"
#include "harness/report/report.h"
#include <stdio.h>
#include <stdlib.h>

static Status report_run(const CommandLine *line)
{
    const char *source = command_line_argument(line, 0), *folder = NULL;
    RecordStore *records = NULL;
    char *json[2] = {NULL, NULL}; /* without figures, and with */
    bool torn = false;
    Status status;
    STATUS_TRY(command_line_required(line, "output", &folder));
    STATUS_TRY(record_store_read(source, &records, &torn));
    if (torn)
        output_note(line, "%s: its last line is torn and left out", source);
    if (record_store_line_count(records) == 0)
        STATUS_TRY(status_make(STATUS_BAD_INPUT, "%s: holds no results", source));
    for (int figures = 0; figures < 2 && command_line_json(line); figures++)
        STATUS_TRY(output_json_line(json_pack("{s:o, s:o, s:b}", "report", json_text(folder), "source",
                                              json_text(source), "figures", figures),
                                    &json[figures]));
    status = report_write(records, source, folder, command_line_progress(line));
    if (status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE) {
        if (command_line_json(line))
            puts(json[status.code == STATUS_OK]);
        else
            output_note(line, "wrote %s/report.md", folder);
    }
done:
    free(json[0]);
    free(json[1]);
    record_store_close(records);
    return status;
}

const Command command_report = {
    .name = "report",
    .synopsis = "RUN.jsonl -o FOLDER",
    .summary = "write a report of a result file: Markdown, CSV, LaTeX and figures (SVG, PDF, PNG)",
    .options =
        (const CommandOption[]){
            {"output", "FOLDER", "the report; an earlier report there is replaced in one step"},
            {NULL, NULL, NULL},
        },
    .arguments = {1, 1},
    .run = report_run,
};

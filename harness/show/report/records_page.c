/* Writes records.html: the raw records, one click away from every number. */
#include "harness/show/report/records_page.h"

#include "datasets/base/memory.h"
#include "harness/records/files/record_json.h"
#include "harness/show/report/index_page.h"
#include "harness/show/report/record_command.h"
#include "harness/show/text/html_table.h"
#include <stdlib.h>

static Status record_write(const RecordView *view, const Record *record, FILE *html)
{
    char name[RECORD_NAME_BYTES], title[CELL_NAME_BYTES + 512];
    json_t *object = record_to_json(record);
    char *json = object ? json_dumps(object, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) : NULL,
         *command = record_command(record);
    const bool made = json && command && record_name(view, record, name);
    if (made) {
        cell_format(&record->cell, title, sizeof title);
        fprintf(html, "<article id=\"r-%s\">\n<h2>", name);
        html_text_write(title, html);
        fprintf(html, "</h2>\n<p>%s, %s; again: <code>", cell_kind_names[record->cell.kind],
                record_status_names[record->status]);
        html_escaped_write(command, html);
        fputs("</code></p>\n<details><summary>The record</summary><pre>", html);
        html_escaped_write(json, html);
        fputs("</pre></details>\n</article>\n", html);
    }
    json_decref(object);
    memory_free(command);
    free(json);
    return made ? status_ok() : status_out_of_memory("a record of the page");
}

Status records_page_write(const ReportPage *report, const RecordView *views, int count)
{
    FILE *html = NULL;
    Status status = report_file_open(report->folder, "records", "html", &html);
    if (status.code != STATUS_OK)
        return status;
    html_page_start(html, "skinbench: all records", false);
    fputs("<header>\n<h1>All records</h1>\n<p>Back to the <a href=\"index.html\">report</a>. Each record "
          "stands with a "
          "command that repeats it: it runs in a shell where the variable DATA holds the whole path of the "
          "folder of "
          "data sets, in which each is a file of its name, and appends to "
          "again.jsonl.</p>\n</header>\n<main>\n",
          html);
    for (int i = 0; i < count; i++)
        for (const Record *record = NULL;
             status.code == STATUS_OK && (record = record_view_next(&views[i], record)) != NULL;)
            status = record_write(&views[i], record, html);
    fputs("</main>\n", html);
    html_page_end(html);
    return report_file_close(html, "records.html", status);
}

/* Writes records.html: the raw records, one click away from every number. */
#include "harness/show/report/records_page.h"

#include "datasets/base/memory.h"
#include "datasets/io/stream.h"
#include "harness/records/files/record_json.h"
#include "harness/show/report/index_page.h"
#include "harness/show/report/record_command.h"
#include "harness/show/text/html_table.h"
#include <stdlib.h>

Status records_page_write(const ReportPage *report, const RecordView *views, int count)
{
    OWNED_BY(fclose) FILE *html = NULL;
    STATUS_TRY(report_file_open(report->folder, "records", "html", &html));
    html_page_start(html, "skinbench: all records", false);
    fputs("<header>\n<h1>All records</h1>\n<p>Back to the <a href=\"index.html\">report</a>. Each record "
          "stands with a "
          "command that repeats it: it runs in a shell where the variable DATA holds the whole path of the "
          "folder of "
          "data sets, in which each is a file of its name, and appends to "
          "again.jsonl.</p>\n</header>\n<main>\n",
          html);
    for (int i = 0; i < count; i++)
        for (const Record *record = NULL; (record = record_view_next(&views[i], record)) != NULL;) {
            char name[RECORD_NAME_BYTES], title[CELL_NAME_BYTES + 512];
            json_auto_t *object = record_to_json(record);
            OWNED char *command = record_command(record);
            OWNED_BY(free)
            char *json = object ? json_dumps(object, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) : NULL;
            if (!json || !command || !record_name(&views[i], record, name))
                return status_out_of_memory("a record of the page");
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
    fputs("</main>\n", html);
    html_page_end(html);
    return report_file_close(TAKE(html), "records.html", status_ok());
}

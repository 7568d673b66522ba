/* Writes tables and figures on the pages of a report, report.md and report.tex, and beside them. */
#include "harness/report/report_page.h"

#include <errno.h>
#include <string.h>

static Status file_open(const ReportPage *report, const char *name, FILE **out)
{
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", report->folder, name);
    *out = fopen(path, "w");
    return *out ? status_ok() : status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
}

static Status file_close(const ReportPage *report, const char *name, FILE *file, Status before)
{
    bool failed = file && ferror(file) != 0;
    failed = (file && fclose(file) != 0) || failed;
    if (failed && before.code == STATUS_OK)
        return status_make(STATUS_MACHINE, "%s/%s: cannot be written", report->folder, name);
    return before;
}

Status report_page_open(ReportPage *report)
{
    Status status;
    STATUS_TRY(file_open(report, "report.md", &report->page));
    STATUS_TRY(file_open(report, "report.tex", &report->document));
done:
    return status;
}

Status report_page_close(ReportPage *report, Status before)
{
    before = file_close(report, "report.md", report->page, before);
    return file_close(report, "report.tex", report->document, before);
}

void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES])
{
    snprintf(out, FIGURE_NAME_BYTES, "%.*s%s", FIGURE_NAME_BYTES - 16, name, report->suffix);
}

static Status table_write(const ReportPage *report, const TextTable *table, const char *file,
                          const char *extension, TableFormat format)
{
    char name[FIGURE_NAME_BYTES + 8];
    FILE *stream = NULL;
    snprintf(name, sizeof name, "%s.%s", file, extension);
    Status status = file_open(report, name, &stream);
    if (status.code == STATUS_OK) {
        text_table_write(table, format, stream);
        status = file_close(report, name, stream, status);
    }
    return status;
}

Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what)
{
    char file[FIGURE_NAME_BYTES];
    report_file_name(report, name, file);
    fprintf(report->page, "%s with full digits: [%s.csv](%s.csv)\n\n", what, file, file);
    return table_write(report, table, file, "csv", TABLE_CSV);
}

Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv)
{
    char file[FIGURE_NAME_BYTES];
    report_file_name(report, name, file);
    Status status = table_write(report, table, file, "tex", TABLE_LATEX);
    if (status.code == STATUS_OK && with_csv)
        status = table_write(report, table, file, "csv", TABLE_CSV);
    text_table_write(table, TABLE_MARKDOWN, report->page);
    fprintf(report->page, "\nAs files: ");
    if (with_csv)
        fprintf(report->page, "[%s.csv](%s.csv), ", file, file);
    fprintf(report->page, "[%s.tex](%s.tex)\n\n", file, file);
    fprintf(report->document, "\\generatedtable{%s}\n", file);
    return status;
}

Status report_add_figure(ReportPage *report, Status status, bool drawn, const char *file, const char *caption)
{
    if (status.code == STATUS_UNAVAILABLE) {
        report->figures = status;
        report->figures_missing++;
        fprintf(report->page, "*The figure %s is missing: %s. Its data are in [%s.tsv](%s.tsv).*\n\n", file,
                status.text, file, file);
        return status_ok();
    }
    if (status.code == STATUS_OK && drawn) {
        fprintf(report->page,
                "![%s](%s.svg)\n\nThe figure as [PDF](%s.pdf) and [PNG](%s.png), its data as "
                "[%s.tsv](%s.tsv).\n\n",
                caption, file, file, file, file, file);
        fprintf(report->document, "\\generatedfigure{%s}{", file);
        latex_text_write(caption, report->document);
        fputs("}\n", report->document);
    }
    return status;
}

/* Writes tables and figures on the pages of a report, report.md and report.tex, and beside them. */
#include "harness/report/report_page.h"

#include "datasets/base/text.h"

Status report_page_open(ReportPage *report)
{
    Status status;
    STATUS_TRY(report_file_open(report->folder, "report", "md", &report->page));
    STATUS_TRY(report_file_open(report->folder, "report", "tex", &report->document));
done:
    return status;
}

Status report_page_close(ReportPage *report, Status before)
{
    return report_file_close(report->document, "report.tex",
                             report_file_close(report->page, "report.md", before));
}

void report_text(const ReportPage *report, const char *text)
{
    char line[4096];
    (void)text_escape(line, sizeof line, text);
    markdown_text_write(line, report->page);
}

void report_heading(const ReportPage *report, const char *mark, const char *text)
{
    fputs(mark, report->page);
    report_text(report, text);
    fputs("\n\n", report->page);
}

void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES])
{
    snprintf(out, FIGURE_NAME_BYTES, "%.*s%s", FIGURE_NAME_BYTES - 16, name, report->suffix);
}

static Status table_write(const ReportPage *report, const TextTable *table, const char *name,
                          const char *extension, TableFormat format)
{
    FILE *file = NULL;
    Status status = report_file_open(report->folder, name, extension, &file);
    if (file)
        text_table_write(table, format, file);
    return report_file_close(file, name, status);
}

Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what)
{
    char file[FIGURE_NAME_BYTES];
    Status status = text_table_status(table);
    if (status.code != STATUS_OK)
        return status;
    report_file_name(report, name, file);
    fprintf(report->page, "%s with full digits: [%s.csv](%s.csv)\n\n", what, file, file);
    return table_write(report, table, file, "csv", TABLE_CSV);
}

Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv)
{
    char file[FIGURE_NAME_BYTES];
    Status status;
    report_file_name(report, name, file);
    STATUS_TRY(text_table_status(table));
    STATUS_TRY(table_write(report, table, file, "tex", TABLE_LATEX));
    if (with_csv)
        STATUS_TRY(table_write(report, table, file, "csv", TABLE_CSV));
    text_table_write(table, TABLE_MARKDOWN, report->page);
    fprintf(report->page, "\nAs files: ");
    if (with_csv)
        fprintf(report->page, "[%s.csv](%s.csv), ", file, file);
    fprintf(report->page, "[%s.tex](%s.tex)\n\n", file, file);
    fprintf(report->document, "\\generatedtable{%s}\n", file);
done:
    return status;
}

Status report_add_figure(ReportPage *report, Status status, bool drawn, const char *file, const char *caption)
{
    if (!progress_report(report->progress, "report: figures", 0.5))
        return status_make(STATUS_STOPPED, "stopped at the figure %s; there is no report", file);
    if (status.code == STATUS_UNAVAILABLE) {
        report->figures = status;
        report->figures_missing++;
        fprintf(report->page, "*The figure %s is missing: ", file);
        report_text(report, status.text);
        fprintf(report->page, ". Its data are in [%s.tsv](%s.tsv).*\n\n", file, file);
        return status_ok();
    }
    if (status.code == STATUS_OK && drawn) {
        fputs("![", report->page);
        report_text(report, caption);
        fprintf(report->page,
                "](%s.svg)\n\nThe figure as [PDF](%s.pdf) and [PNG](%s.png), its data as "
                "[%s.tsv](%s.tsv).\n\n",
                file, file, file, file, file);
        fprintf(report->document, "\\generatedfigure{%s}{", file);
        latex_text_write(caption, report->document);
        fputs("}\n", report->document);
    }
    return status;
}

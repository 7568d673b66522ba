/* Writes tables and figures to the pages of a report, report.md, report.tex and index.html, and to separate
 * files. */
#include "harness/show/report/report_page.h"

#include "harness/show/text/html_table.h"

Status report_page_open(ReportPage *report)
{
    STATUS_TRY(report_file_open(report->folder, "report", "md", &report->page));
    STATUS_TRY(report_file_open(report->folder, "report", "tex", &report->document));
    return report_file_open(report->folder, "index", "html", &report->html);
}

Status report_page_close(ReportPage *report, Status before)
{
    Status status = report_file_close(report->page, "report.md", before);
    status = report_file_close(report->document, "report.tex", status);
    return report_file_close(report->html, "index.html", status);
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

void report_paragraph(const ReportPage *report, const char *text)
{
    fprintf(report->page, "%s\n\n", text);
    html_print(report->html, "<p>%s</p>\n", text);
}

void report_fold_start(const ReportPage *report, const char *id, const char *title)
{
    report_heading(report, "## ", title);
    html_print(report->html, "<details class=\"part\" id=\"part-%s%s\"><summary>%s</summary><noscript>\n", id,
               report->suffix, title);
}

void report_fold_end(const ReportPage *report)
{
    fputs("</noscript></details>\n", report->html);
}

void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES])
{
    snprintf(out, FIGURE_NAME_BYTES, "%.*s%s", FIGURE_NAME_BYTES - VIEW_SUFFIX_BYTES, name, report->suffix);
}

void report_links(const ReportPage *report, const char *before, const char *const *files)
{
    fprintf(report->page, "%s:", before);
    fprintf(report->html, "<p class=\"files\">%s:", before);
    for (int i = 0; files[i]; i++) {
        fprintf(report->page, "%s [%s](%s)", i > 0 ? "," : "", files[i], files[i]);
        fprintf(report->html, "%s <a href=\"%s\">%s</a>", i > 0 ? "," : "", files[i], files[i]);
    }
    fputs("\n\n", report->page);
    fputs("</p>\n", report->html);
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

enum { LINK_BYTES = FIGURE_NAME_BYTES + 8 };

Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what)
{
    char file[FIGURE_NAME_BYTES], csv[LINK_BYTES], before[128];
    STATUS_TRY(text_table_status(table));
    report_file_name(report, name, file);
    snprintf(csv, sizeof csv, "%s.csv", file);
    snprintf(before, sizeof before, "%s with full digits", what);
    report_links(report, before, (const char *const[]){csv, NULL});
    return table_write(report, table, file, "csv", TABLE_CSV);
}

Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv)
{
    char file[FIGURE_NAME_BYTES], csv[LINK_BYTES], tex[LINK_BYTES];
    report_file_name(report, name, file);
    snprintf(csv, sizeof csv, "%s.csv", file);
    snprintf(tex, sizeof tex, "%s.tex", file);
    STATUS_TRY(text_table_status(table));
    STATUS_TRY(table_write(report, table, file, "tex", TABLE_LATEX));
    if (with_csv)
        STATUS_TRY(table_write(report, table, file, "csv", TABLE_CSV));
    text_table_write(table, TABLE_MARKDOWN, report->page);
    fputc('\n', report->page);
    html_table_write(table, file, report->html);
    report_links(report, "As files",
                 (const char *const[]){with_csv ? csv : tex, with_csv ? tex : NULL, NULL});
    fprintf(report->document, "\\generatedtable{%s}\n", file);
    return status_ok();
}

void report_add_plot(const ReportPage *report, const char *id, const char *caption)
{
    if (report->has_script)
        html_print(report->html,
                   "<figure class=\"plot\" data-plot=\"%s\"><figcaption>%s</figcaption></figure>\n", id,
                   caption);
}

Status report_add_numbers(const ReportPage *report, const char *id, const char *summary, TextTable *table)
{
    char name[FIGURE_NAME_BYTES];
    const Status status = text_table_status(table);
    if (status.code == STATUS_OK && text_table_row_count(table) > 0) {
        report_file_name(report, id, name);
        html_print(report->html, "<details><summary>%s</summary><noscript>\n", summary);
        html_table_write(table, name, report->html);
        fputs("</noscript></details>\n", report->html);
    }
    text_table_free(table);
    return status;
}

/* Writes a place where a script may put a plot instead of the picture, then the picture with links to its
 * program and data. */
static void figure_write(const ReportPage *report, const char *file, const char *caption, const char *missing)
{
    FILE *html = report->html;
    html_print(html, "<figure class=\"plot\" data-plot=\"%s\">", file);
    if (missing)
        html_print(html, "<p>The figure is missing: %s.</p>", missing);
    else
        html_print(html, "<img src=\"%s.svg\" loading=\"lazy\" alt=\"%s\">", file, caption);
    html_print(html, "<figcaption>%s (", caption);
    if (!missing)
        html_print(html,
                   "<a href=\"%s.svg\">SVG</a>, <a href=\"%s.pdf\">PDF</a>, <a href=\"%s.png\">PNG</a>, ",
                   file, file, file);
    html_print(html,
               "<a href=\"%s.gp\">its gnuplot program</a>, <a href=\"%s.tsv\">its data</a>)</figcaption>"
               "</figure>\n",
               file, file);
}

Status report_add_figure(ReportPage *report, Status status, bool drawn, const char *file, const char *caption)
{
    if (!progress_report(report->progress, "report: figures", 0.5))
        return status_make(STATUS_STOPPED, "stopped at the figure %s; there is no report", file);
    if (status.code == STATUS_OK && drawn && report->figures.code == STATUS_UNAVAILABLE) {
        status = report->figures;
        report->figures_missing++;
        fprintf(report->page, "*The figure %s is missing: ", file);
        report_text(report, status.text);
        fprintf(report->page, ". Its data are in [%s.tsv](%s.tsv).*\n\n", file, file);
        figure_write(report, file, caption, status.text);
        return status_ok();
    }
    if (status.code == STATUS_OK && drawn) {
        GROW(report->figure_names, report->figure_count, "the figures");
        snprintf(report->figure_names[report->figure_count++], FIGURE_NAME_BYTES, "%s", file);
        fputs("![", report->page);
        report_text(report, caption);
        fprintf(report->page,
                "](%s.svg)\n\nThe figure as [PDF](%s.pdf) and [PNG](%s.png), its data as "
                "[%s.tsv](%s.tsv).\n\n",
                file, file, file, file, file);
        fprintf(report->document, "\\generatedfigure{%s}{", file);
        latex_text_write(caption, report->document);
        fputs("}\n", report->document);
        figure_write(report, file, caption, NULL);
    }
    return status;
}

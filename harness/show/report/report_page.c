/* Writes tables and figures to the pages of a report, report.md, report.tex and index.html, and to separate
 * files. */
#include "harness/show/report/report_page.h"

#include "harness/show/text/html_table.h"

Status report_page_open(ReportPage *report)
{
    static const char *const names[][2] = {{"report", "md"}, {"report", "tex"}, {"index", "html"}};
    for (int i = 0; i < 3; i++)
        STATUS_TRY(report_file_open(report->folder, names[i][0], names[i][1], &report->files[i]));
    report->page = markdown_file(report->files[0]);
    report->document = latex_file(report->files[1]);
    report->html = html_file(report->files[2]);
    return status_ok();
}

Status report_page_close(ReportPage *report, Status before)
{
    Status status = report_file_close(report->files[0], "report.md", before);
    status = report_file_close(report->files[1], "report.tex", status);
    return report_file_close(report->files[2], "index.html", status);
}

void report_paragraph(const ReportPage *report, const char *text)
{
    markdown_print(report->page, "%s\n\n", text);
    html_print(report->html, "<p>%s</p>\n", text);
}

void report_fold_start(const ReportPage *report, const char *id, const char *title)
{
    markdown_print(report->page, "## %s\n\n", title);
    html_print(report->html,
               "<details class=\"part\" id=\"part-%s%s\"><summary>%s</summary><noscript><div "
               "class=\"body\">\n",
               id, report->suffix, title);
}

void report_fold_end(const ReportPage *report)
{
    html_print(report->html, "</div></noscript></details>\n");
}

void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES])
{
    snprintf(out, FIGURE_NAME_BYTES, "%.*s%s", FIGURE_NAME_BYTES - VIEW_SUFFIX_BYTES, name, report->suffix);
}

void report_links(const ReportPage *report, const char *before, const char *const *files)
{
    markdown_print(report->page, "%s:", before);
    html_print(report->html, "<p class=\"files\">%s:", before);
    for (int i = 0; files[i]; i++) {
        markdown_print(report->page, "%s [%s](%s)", i > 0 ? "," : "", files[i], files[i]);
        html_print(report->html, "%s <a href=\"%s\">%s</a>", i > 0 ? "," : "", files[i], files[i]);
    }
    markdown_print(report->page, "\n\n");
    html_print(report->html, "</p>\n");
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
    text_table_write(table, TABLE_MARKDOWN, report->files[0]);
    markdown_print(report->page, "\n");
    html_table_write(table, file, report->html);
    report_links(report, "As files",
                 (const char *const[]){with_csv ? csv : tex, with_csv ? tex : NULL, NULL});
    latex_print(report->document, "\\generatedtable{");
    latex_file_name(report->document, file);
    latex_print(report->document, "}\n");
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
        html_print(report->html, "<details id=\"numbers-%s\"><summary>%s</summary><noscript>\n", name,
                   summary);
        html_table_write(table, name, report->html);
        html_print(report->html, "</noscript></details>\n");
    }
    text_table_free(table);
    return status;
}

PlotFigure report_figure(ReportPage *report, const char *name)
{
    return (PlotFigure){
        .folder = report->folder, .name = name, .number = ++report->figure_number, .plots = report->plots};
}

void report_figures_left_out(const ReportPage *report, char text[FIGURES_LEFT_OUT_BYTES])
{
    int count = 0;
    for (int i = 0; i < report->drawing_count; i++)
        count += report->drawings[i].reason[0] != '\0';
    text[0] = '\0';
    if (count > 0)
        snprintf(text, FIGURES_LEFT_OUT_BYTES, "%d figure%s could not be drawn", count,
                 count == 1 ? "" : "s");
    for (int i = 0, named = 0; i < report->drawing_count; i++)
        if (report->drawings[i].reason[0])
            text_append(text, FIGURES_LEFT_OUT_BYTES, "%s%s (%s)", named++ > 0 ? ", " : ": ",
                        report->drawings[i].name, report->drawings[i].reason);
}

Status report_add_figure(ReportPage *report, Status status, const PlotFigure *figure, const char *caption)
{
    const char *name = figure->name;
    char part[FIGURE_NAME_BYTES];
    if (!progress_report(report->progress, "report: figures", 0.5))
        return status_make(STATUS_STOPPED, "stopped while drawing the figure %s; no report was written",
                           name);
    if (status.code != STATUS_OK || !figure->drawn)
        return status;
    if (!report->is_again && report->figures.code != STATUS_UNAVAILABLE) {
        GROW(report->drawings, report->drawing_count, "the figures");
        Drawing *drawing = &report->drawings[report->drawing_count++];
        *drawing = (Drawing){.number = figure->number};
        snprintf(drawing->name, sizeof drawing->name, "%s", name);
        if (!figure_is_drawable(figure))
            snprintf(drawing->reason, sizeof drawing->reason, "one of its numbers is too large");
    }
    report->figures_missing += report->figures.code == STATUS_UNAVAILABLE;
    /* put the figure on the pages, where a script may replace its picture by a plot */
    const char *reason = report->figures.code == STATUS_UNAVAILABLE ? report->figures.text : "";
    for (int i = 0; i < report->drawing_count && report->figures.code != STATUS_UNAVAILABLE; i++)
        if (strcmp(report->drawings[i].name, name) == 0)
            reason = report->drawings[i].reason;
    HtmlFile *html = report->html;
    figure_part_name(figure->number, FIGURE_DATA, part);
    html_print(html, "<figure class=\"plot\" data-plot=\"%s\">", name);
    if (reason[0]) {
        markdown_print(report->page, "*The figure %s is missing: %s. Its data are in [%s.tsv](%s.tsv).*\n\n",
                       name, reason, part, part);
        html_print(html, "<p>The figure is missing: %s.</p><figcaption>%s (", reason, caption);
    } else {
        markdown_print(report->page,
                       "![%s](%s.svg)\n\nThe figure as [PDF](%s.pdf) and [PNG](%s.png), its data as "
                       "[%s.tsv](%s.tsv).\n\n",
                       caption, name, name, name, part, part);
        latex_print(report->document, "\\generatedfigure{");
        latex_file_name(report->document, name);
        latex_print(report->document, "}{%s}\n", caption);
        html_print(
            html,
            "<img src=\"%s.svg\" loading=\"lazy\" alt=\"%s\"><figcaption>%s (<a href=\"%s.svg\">SVG</a>, "
            "<a href=\"%s.pdf\">PDF</a>, <a href=\"%s.png\">PNG</a>, ",
            name, caption, caption, name, name, name);
    }
    html_print(html,
               "<a href=\"%s.gp\">its gnuplot program</a>, <a href=\"%s.tsv\">its data</a>)</figcaption>"
               "</figure>\n",
               part, part);
    return status_ok();
}

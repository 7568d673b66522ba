/* Writes findings as tables, JSON, Markdown and JUnit XML. The JUnit files use only elements and attributes
 * that Jenkins, GitLab and GitHub's readers all support. */
#include "harness/show/tables/finding_print.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"
#include "harness/show/text/html_table.h"
#include "harness/show/text/interval_text.h"

enum { ROWS_OF_A_KIND_MAX = 40 };

json_t *finding_to_json(const GuardFinding *finding)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:o}", "cell",
                     json_text(finding->cell), "finding", finding_kind_names[finding->kind], "metric",
                     json_text(finding->of), "base", json_number_or_null(finding->base), "new",
                     json_number_or_null(finding->fresh), "ratio", json_number_or_null(finding->ratio), "low",
                     json_number_or_null(finding->low), "high", json_number_or_null(finding->high), "bound",
                     json_number_or_null(finding->bound), "samples", finding->samples, "disturbed",
                     finding->disturbed, "reason", json_text(finding->note));
}

/* Formats the relative change of a number ("+5.3e-06"), or the ratio of two times. */
static void change_format(const GuardFinding *finding, char text[INTERVAL_TEXT_BYTES])
{
    const SampledNumber ratio = {finding->ratio,   finding->low,       finding->high,
                                 finding->samples, finding->disturbed, NULL};
    if (finding->samples > 0)
        interval_text(&ratio, 4, text);
    else if (isfinite(finding->ratio))
        snprintf(text, INTERVAL_TEXT_BYTES, "%+.2g", (finding->fresh - finding->base) / fabs(finding->base));
    else if (isfinite(finding->base) && isfinite(finding->fresh))
        snprintf(text, INTERVAL_TEXT_BYTES, "%+.2g in all", finding->fresh - finding->base);
    else
        snprintf(text, INTERVAL_TEXT_BYTES, "-");
}

/* Counts the findings of the cell to which the finding `first` belongs. Findings of one cell follow each
 * other, and `first` is the first of them. */
static int cell_span(const Findings *findings, int first)
{
    int end = first + 1;
    while (end < findings->count && strcmp(findings->items[end].cell, findings->items[first].cell) == 0)
        end++;
    return end - first;
}

/* Returns how many findings have the same cell and kind as the finding `first`, so that one row can
 * represent them all. Returns 0 if an earlier finding has the same cell and kind, because the row then
 * already exists. */
static int numbers_of_row(const Findings *findings, int first)
{
    const GuardFinding *items = findings->items;
    int count = 0;
    for (int i = first; i-- > 0 && strcmp(items[i].cell, items[first].cell) == 0;)
        if (items[i].kind == items[first].kind)
            return 0;
    for (int i = first; i < first + cell_span(findings, first); i++)
        count += items[i].kind == items[first].kind;
    return count;
}

Status findings_print_text(const Findings *findings, FILE *file)
{
    char counts[FINDINGS_TEXT_BYTES];
    /* Write one row for each cell and kind of finding, with the number of further findings. Each time has a
     * row of its own. */
    OWNED_BY(text_table_free)
    TextTable *table = text_table_create("", "<cell|<finding|<of|base|new|<change|<note");
    int left_out = 0;
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        int rows = 0;
        for (int i = 0; i < findings->count; i++) {
            const GuardFinding *finding = &findings->items[i];
            char text[INTERVAL_TEXT_BYTES];
            if ((int)finding->kind != kind || kind == FINDING_SAME || kind == FINDING_SKIPPED)
                continue;
            const int numbers = finding->samples > 0 ? 1 : numbers_of_row(findings, i);
            if (numbers == 0)
                continue;
            if (++rows > ROWS_OF_A_KIND_MAX) {
                left_out++;
                continue;
            }
            text_table_row(table, finding->cell, finding_kind_names[kind], finding->of, NULL);
            text_table_number(table, finding->base, 9);
            text_table_number(table, finding->fresh, 9);
            change_format(finding, text);
            text_table_cell(table, "%s", text);
            if (numbers > 1)
                text_table_cell(table, "%s%s%d more", finding->note, finding->note[0] ? "; " : "",
                                numbers - 1);
            else
                text_table_cell(table, "%s", finding->note);
        }
    }
    STATUS_TRY(text_table_status(table));
    if (text_table_row_count(table) > 0) {
        text_table_write(table, TABLE_MARKDOWN, file);
        fputc('\n', file);
    }
    if (left_out > 0)
        fprintf(file, "%d more rows are listed by --json.\n\n", left_out);
    /* List each reason for which cells were skipped once, in the order of the cells. Example: "75 skipped:
     * the NVIDIA driver is not installed". */
    bool any = false;
    for (int i = 0; i < findings->count; i++) {
        int count = 0;
        for (int k = 0; k < findings->count && findings->items[i].kind == FINDING_SKIPPED; k++)
            if (findings->items[k].kind == FINDING_SKIPPED &&
                strcmp(findings->items[k].note, findings->items[i].note) == 0) {
                if (k < i)
                    break;
                count++;
            }
        if (count > 0) {
            markdown_print(markdown_file(file), "- %d not compared: %s\n", count, findings->items[i].note);
            any = true;
        }
    }
    if (any)
        fputc('\n', file);
    findings_format(findings, counts);
    markdown_print(markdown_file(file), "%s\n", counts);
    return status_ok();
}

/* Closes the file and moves it to its final path. */
static Status file_finish(FILE *file, AtomicPath *path, const char *given)
{
    const int error = stream_close(file);
    if (error != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", given, strerror(error));
    return atomic_path_commit(path);
}

static Status file_start(const char *given, AtomicPath *path, FILE **file)
{
    STATUS_TRY(atomic_path_start(given, OUTPUT_FILE, path));
    *file = fopen(path->temporary, "w");
    return *file ? status_ok() : status_make(STATUS_SYSTEM, "%s: %s", given, strerror(errno));
}

Status findings_write_markdown(const Findings *findings, const FindingSource *source, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    const int failing = findings_failing(findings);
    STATUS_TRY(file_start(path, &output, &file));
    MarkdownFile *markdown = markdown_file(file);
    markdown_print(markdown, "### %s: %s\n\n", source->title, failing > 0 ? "changed" : "as accepted");
    STATUS_TRY(findings_print_text(findings, file));
    const char *const sides[2][3] = {{"base", source->base, source->base_of},
                                     {"new", source->fresh, source->fresh_of}};
    markdown_print(markdown, "\n");
    for (int i = 0; i < 2; i++)
        if (sides[i][1][0])
            markdown_print(markdown, "- %s: %s%s%s\n", sides[i][0],
                           sides[i][1] + output_path_folder_length(sides[i][1]), sides[i][2][0] ? ", " : "",
                           sides[i][2]);
    markdown_print(markdown, "\n");
    return file_finish(TAKE(file), &output, path);
}

/* ---- JUnit ---- */

static const GuardFinding *first_failing(const GuardFinding *items, int count)
{
    for (int i = 0; i < count; i++)
        if (finding_fails(items[i].kind))
            return &items[i];
    return NULL;
}

static bool is_skipped(const GuardFinding *finding)
{
    return finding->kind == FINDING_SKIPPED || finding->kind == FINDING_NEW ||
           finding->kind == FINDING_UNSURE;
}

Status findings_write_junit(const Findings *findings, const FindingSource *source, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    int tests = 0, failures = 0, skipped = 0;
    STATUS_TRY(file_start(path, &output, &file));
    HtmlFile *xml = html_file(file); /* escaping for HTML suits XML, too */
    for (int i = 0; i < findings->count; i += cell_span(findings, i)) {
        const bool failed = first_failing(&findings->items[i], cell_span(findings, i)) != NULL;
        tests++;
        failures += failed;
        skipped += !failed && is_skipped(&findings->items[i]);
    }
    html_print(xml,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"skinbench %s\" "
               "tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"0\">\n",
               source->title, tests, failures, skipped);
    for (int i = 0; i < findings->count; i += cell_span(findings, i)) {
        const GuardFinding *items = &findings->items[i];
        const int count = cell_span(findings, i);
        const GuardFinding *failing = first_failing(items, count);
        html_print(xml, "<testcase classname=\"skinbench.%s\" name=\"%s\" time=\"0\">", source->title,
                   items->cell);
        if (failing) {
            /* Write one element per cell: its message names the first number, its text lists all
             * numbers. */
            char change[INTERVAL_TEXT_BYTES], line[1024];
            for (int k = 0; k < count; k++) {
                const GuardFinding *finding = &items[k];
                if (!finding_fails(finding->kind))
                    continue;
                change_format(finding, change);
                snprintf(line, sizeof line, "%s %s: %.9g, was %.9g, change %s %s",
                         finding_kind_names[finding->kind], finding->of, finding->fresh, finding->base,
                         change, finding->note);
                if (finding == failing)
                    html_print(xml, "<failure type=\"%s\" message=\"%s\">", finding_kind_names[finding->kind],
                               line);
                html_print(xml, "%s\n", line);
            }
            html_print(xml, "</failure>");
        } else if (is_skipped(items))
            html_print(xml, "<skipped message=\"%s\"/>",
                       items->note[0] ? items->note : finding_kind_names[items->kind]);
        html_print(xml, "</testcase>\n");
    }
    html_print(xml, "</testsuite>\n</testsuites>\n");
    return file_finish(TAKE(file), &output, path);
}

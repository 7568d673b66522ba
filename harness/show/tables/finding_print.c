/* Writes findings as tables, JSON, Markdown and JUnit XML. The JUnit files use only elements and attributes
 * that Jenkins, GitLab and GitHub's readers all support. */
#include "harness/show/tables/finding_print.h"

#include "datasets/io/atomic_path.h"
#include "harness/records/guard/method_summary.h"
#include "harness/show/text/html_table.h"
#include "harness/show/text/interval_text.h"

enum { ROWS_OF_A_KIND_MAX = 40 };

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
    while (end < findings->count && strcmp(findings->items[end].cell, findings->items[first].cell) == 0 &&
           strcmp(findings->items[end].part, findings->items[first].part) == 0)
        end++;
    return end - first;
}

/* Whether one row can represent two findings of a cell. */
static bool is_of_row(const GuardFinding *a, const GuardFinding *b)
{
    return a->kind == b->kind && finding_is_rounding(a) == finding_is_rounding(b);
}

/* Returns how many findings of its cell are in the row of the finding `first`. Returns 0 if an earlier
 * finding is, because the row then already exists. */
static int numbers_of_row(const Findings *findings, int first)
{
    const GuardFinding *items = findings->items;
    int count = 0;
    for (int i = first; i-- > 0 && strcmp(items[i].cell, items[first].cell) == 0;)
        if (is_of_row(&items[i], &items[first]))
            return 0;
    for (int i = first; i < first + cell_span(findings, first); i++)
        count += is_of_row(&items[i], &items[first]);
    return count;
}

/* Prints a row for each cell and kind of finding, with the number of further findings; each time has a row
 * of its own. The rows are those of the differences by rounding, or all others. */
static Status rows_print(const Findings *findings, bool rounding, FILE *file)
{
    OWNED_BY(text_table_free)
    TextTable *table = text_table_create("", "<cell|<finding|<of|base|new|<change|<note");
    int left_out = 0;
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        int rows = 0;
        for (int i = 0; i < findings->count; i++) {
            const GuardFinding *finding = &findings->items[i];
            char text[INTERVAL_TEXT_BYTES];
            if ((int)finding->kind != kind || kind == FINDING_SAME || kind == FINDING_SKIPPED ||
                finding_is_rounding(finding) != rounding)
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
    return status_ok();
}

/* Prints a line for each method that changed and, if there are any, a line or a folded table of the
 * differences by rounding. */
static Status methods_print(const Findings *findings, bool folded, FILE *file)
{
    MarkdownFile *markdown = markdown_file(file);
    OWNED MethodSummary *methods = NULL;
    int count = 0, numbers = 0;
    double most = 0.0;
    STATUS_TRY(methods_summarize(findings, &methods, &count));
    for (int i = 0; i < count; i++) {
        if (methods[i].text[0])
            markdown_print(markdown, "- %s: %s\n", methods[i].method, methods[i].text);
        numbers += methods[i].rounding;
        most = fmax(most, methods[i].rounding_most);
    }
    if (count > 0)
        fputc('\n', file);
    if (numbers == 0)
        return status_ok();
    fprintf(file,
            "%s%d numbers differ by rounding only, by at most %.2g:", folded ? "<details><summary>" : "",
            numbers, most);
    for (int i = 0, named = 0; i < count; i++)
        if (methods[i].rounding > 0)
            markdown_print(markdown, "%s %s", named++ ? "," : "", methods[i].method);
    fprintf(file, "%s\n\n", folded ? "</summary>" : "");
    if (folded) {
        STATUS_TRY(rows_print(findings, true, file));
        fprintf(file, "</details>\n\n");
    }
    return status_ok();
}

Status findings_print(const Findings *findings, bool folded, FILE *file)
{
    char counts[FINDINGS_TEXT_BYTES];
    STATUS_TRY(methods_print(findings, folded, file));
    STATUS_TRY(rows_print(findings, false, file));
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

/* Whether the finding at `index` is the first of its part. */
static bool is_first_of_part(const Findings *findings, int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(findings->items[i].part, findings->items[index].part) == 0)
            return false;
    return true;
}

Status findings_write_markdown(const Findings *findings, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &output));
    STATUS_TRY(stream_create(output.temporary, "w", path, &file));
    MarkdownFile *markdown = markdown_file(file);
    markdown_print(markdown, "### Verdict on ");
    for (int i = 0, named = 0; i < findings->count; i++)
        if (is_first_of_part(findings, i))
            markdown_print(markdown, "%s%s", named++ ? ", " : "", findings->items[i].part);
    markdown_print(markdown, ": %s\n\n", findings_verdict(findings));
    STATUS_TRY(findings_print(findings, true, file));
    markdown_print(markdown, "\n");
    for (int i = 0; i < findings->source_count; i++) {
        const FindingSource *source = &findings->sources[i];
        if (source->base[0])
            markdown_print(markdown, "- %s, base: %s\n", source->part, source->base);
        markdown_print(markdown, "- %s, new: %s\n", source->part, source->fresh);
    }
    markdown_print(markdown, "\n");
    STATUS_TRY(stream_finish(TAKE(file), path));
    return atomic_path_commit(&output);
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

/* Writes a test case. The message of a failure names the first number, its text lists all numbers. */
static void case_write(const GuardFinding *items, int count, HtmlFile *xml)
{
    const GuardFinding *failing = first_failing(items, count);
    html_print(xml, "<testcase classname=\"skinbench.%s\" name=\"%s\" time=\"0\">", items->part, items->cell);
    for (int k = 0; k < count && failing; k++) {
        const GuardFinding *finding = &items[k];
        char change[INTERVAL_TEXT_BYTES], line[1024];
        if (!finding_fails(finding->kind))
            continue;
        change_format(finding, change);
        if (finding->of[0])
            snprintf(line, sizeof line, "%s %s: %.9g, was %.9g, change %s %s",
                     finding_kind_names[finding->kind], finding->of, finding->fresh, finding->base, change,
                     finding->note);
        else
            snprintf(line, sizeof line, "%s: %s", finding_kind_names[finding->kind], finding->note);
        if (finding == failing)
            html_print(xml, "<failure type=\"%s\" message=\"%s\">", finding_kind_names[finding->kind], line);
        html_print(xml, "%s\n", line);
    }
    if (failing)
        html_print(xml, "</failure>");
    else if (is_skipped(items))
        html_print(xml, "<skipped message=\"%s\"/>",
                   items->note[0] ? items->note : finding_kind_names[items->kind]);
    html_print(xml, "</testcase>\n");
}

/* Writes the test suite of the part of the finding `first`. */
static void suite_write(const Findings *findings, int first, HtmlFile *xml)
{
    const char *part = findings->items[first].part;
    int tests = 0, failures = 0, skipped = 0;
    for (int i = first; i < findings->count; i += cell_span(findings, i)) {
        const bool failed = first_failing(&findings->items[i], cell_span(findings, i)) != NULL;
        if (strcmp(findings->items[i].part, part) != 0)
            continue;
        tests++;
        failures += failed;
        skipped += !failed && is_skipped(&findings->items[i]);
    }
    html_print(xml,
               "<testsuite name=\"skinbench %s\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" "
               "time=\"0\">\n",
               part, tests, failures, skipped);
    for (int i = first; i < findings->count; i += cell_span(findings, i))
        if (strcmp(findings->items[i].part, part) == 0)
            case_write(&findings->items[i], cell_span(findings, i), xml);
    html_print(xml, "</testsuite>\n");
}

Status findings_write_junit(const Findings *findings, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &output));
    STATUS_TRY(stream_create(output.temporary, "w", path, &file));
    HtmlFile *xml = html_file(file); /* text escaped for HTML is valid in XML, too */
    html_print(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (int i = 0; i < findings->count; i++)
        if (is_first_of_part(findings, i))
            suite_write(findings, i, xml);
    html_print(xml, "</testsuites>\n");
    STATUS_TRY(stream_finish(TAKE(file), path));
    return atomic_path_commit(&output);
}

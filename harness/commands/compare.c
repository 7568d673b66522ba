/* skinbench compare BASE NEW: exit 1 when an error metric got worse, a cell vanished or, of executables, one is slower. */
#include "harness/commands/commands.h"
#include "harness/commands/compare_binary.h"

#include "harness/guard/compare.h"
#include "harness/records/json_table.h"
#include "harness/text/interval_text.h"
#include "harness/text/text_table.h"
#include <stdio.h>

static Status finding_print_json(const CellFinding *finding)
{
    return output_json(json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:b}", "cell", json_text(finding->cell), "finding",
        finding->kind, "metric", json_text(finding->of), "base", json_number_or_null(finding->base), "new",
        json_number_or_null(finding->fresh), "ratio", json_number_or_null(finding->ratio), "low",
        json_number_or_null(finding->low), "high", json_number_or_null(finding->high), "samples",
        finding->samples, "disturbed", finding->disturbed));
}

static Status comparison_print(const CommandLine *line, const Comparison *comparison)
{
    static const char *const columns[] = {"<cell", "<finding", "<of", "base", "new", "new / base", NULL};
    TextTable *table = text_table_create("", columns);
    char text[INTERVAL_TEXT_BYTES];
    Status status;
    for (int i = 0; i < comparison->finding_count; i++) {
        const CellFinding *finding = &comparison->findings[i];
        if (command_line_json(line)) {
            STATUS_TRY(finding_print_json(finding));
            continue;
        }
        text_table_row(table);
        text_table_words(table, finding->cell, finding->kind, finding->of, NULL);
        text_table_number(table, finding->base, 5);
        text_table_number(table, finding->fresh, 5);
        const IntervalNumber ratio = {finding->ratio, finding->low, finding->high, finding->samples,
                                      finding->disturbed};
        interval_text(&ratio, 4, text);
        text_table_cell(table, "%s", text);
    }
    STATUS_TRY(text_table_status(table));
    if (text_table_row_count(table) > 0) {
        text_table_write(table, TABLE_MARKDOWN, stdout);
        putchar('\n');
    }
done:
    text_table_free(table);
    return status;
}

static Status compare_run(const CommandLine *line)
{
    RecordStore *base = NULL, *fresh = NULL;
    Comparison comparison = {.cells = 0};
    double tolerance = 0.0;
    Status status;
    if (command_line_flag(line, "binary"))
        return compare_binary_run(line);
    STATUS_TRY(command_line_real(line, "tolerance", 0.01, 0.0, 10.0, &tolerance));
    STATUS_TRY(record_store_read(command_line_arguments(line), 1, &base));
    STATUS_TRY(record_store_read(command_line_arguments(line) + 1, 1, &fresh));
    STATUS_TRY(records_compare(base, fresh, tolerance, &comparison));
    STATUS_TRY(comparison_print(line, &comparison));
    if (!command_line_json(line))
        printf("%d cells compared: %d metrics worse, %d better, %d cells vanished\n", comparison.cells,
               comparison.worse, comparison.better, comparison.vanished);
    if (comparison.worse > 0 || comparison.vanished > 0)
        status =
            status_make(STATUS_CHECK_FAILED, "%d metrics are worse by more than %g %%, %d cells vanished",
                        comparison.worse, 100.0 * tolerance, comparison.vanished);
done:
    comparison_clear(&comparison);
    record_store_close(base);
    record_store_close(fresh);
    return status;
}

const Command command_compare = {
    .name = "compare",
    .synopsis = "BASE.jsonl NEW.jsonl [--tolerance SHARE] | --binary OLD NEW [--suite FILE]",
    .summary = "fail when an error metric got worse or a cell vanished, or a build is slower than another",
    .options =
        (const CommandOption[]){
            {"tolerance", "SHARE", "errors may grow by this share (default: 0.01)"},
            COMPARE_BINARY_OPTIONS,
            {NULL, NULL, NULL},
        },
    .arguments = {2, 2},
    .run = compare_run,
};

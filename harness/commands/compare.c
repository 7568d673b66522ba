/* skinbench compare BASE NEW: exit 1 when an error metric got worse or a cell vanished. */
#include "harness/commands/commands.h"

#include "harness/commands/output.h"
#include "harness/records/results.h"
#include "harness/report/compare.h"
#include "harness/text/text_table.h"
#include <stdio.h>
#include <string.h>

static Status findings_print(const CommandLine *line, const Comparison *comparison)
{
    static const char *const columns[] = {"<cell", "<finding", "<of", "base", "new", "new / base", NULL};
    TextTable *table = NULL;
    Status status;
    STATUS_TRY(text_table_create("", columns, &table));
    for (size_t i = 0; i < json_array_size(comparison->findings); i++) {
        json_t *finding = json_array_get(comparison->findings, i);
        if (command_line_json(line)) {
            STATUS_TRY(output_json(json_incref(finding)));
            continue;
        }
        text_table_row(table);
        text_table_cell(table, "%s", json_text_at(finding, "cell"));
        text_table_cell(table, "%s", json_text_at(finding, "finding"));
        text_table_cell(table, "%s", json_text_at(finding, "metric"));
        text_table_number(table, json_number_at(finding, "base"), 5);
        text_table_number(table, json_number_at(finding, "new"), 5);
        text_table_number(table, json_number_at(finding, "ratio"), 4);
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
    json_t *base = NULL, *fresh = NULL;
    Comparison comparison = {.cells = 0};
    double tolerance = 0.0;
    bool torn = false;
    Status status;
    STATUS_TRY(command_line_real(line, "tolerance", 0.01, 0.0, 10.0, &tolerance));
    STATUS_TRY(results_read(command_line_argument(line, 0), &base, &torn));
    STATUS_TRY(results_read(command_line_argument(line, 1), &fresh, &torn));
    STATUS_TRY(results_compare(base, fresh, tolerance, &comparison));
    STATUS_TRY(findings_print(line, &comparison));
    if (!command_line_json(line))
        printf("%d cells compared: %d metrics worse, %d better, %d cells vanished\n", comparison.cells,
               comparison.worse, comparison.better, comparison.vanished);
    if (comparison.worse > 0 || comparison.vanished > 0)
        status =
            status_make(STATUS_CHECK_FAILED, "%d metrics are worse by more than %g %%, %d cells vanished",
                        comparison.worse, 100.0 * tolerance, comparison.vanished);
done:
    json_decref(comparison.findings);
    json_decref(base);
    json_decref(fresh);
    return status;
}

const Command command_compare = {
    .name = "compare",
    .synopsis = "BASE.jsonl NEW.jsonl [--tolerance SHARE]",
    .summary = "fail when an error metric got worse or a cell vanished; times are only told",
    .options =
        (const CommandOption[]){
            {"tolerance", "SHARE", "errors may grow by this share (default: 0.01)"},
            {NULL, NULL, NULL},
        },
    .minimum_arguments = 2,
    .maximum_arguments = 2,
    .run = compare_run,
};

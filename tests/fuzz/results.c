/* Fuzzes result files: each is read, shown in every table, and compared with itself. */
#include "tests/fuzz/fuzz.h"

#include "harness/records/files/record_json.h"
#include "harness/records/guard/compare.h"
#include "harness/records/papers/published.h"
#include "harness/show/report/report.h"
#include "harness/show/tables/record_csv.h"
#include "harness/show/tables/record_tables.h"
#include "harness/show/tables/table_print.h"
#include <unistd.h>

static PublishedTables tables;

int LLVMFuzzerInitialize(UNUSED int *argc, UNUSED char ***argv)
{
    fuzz_require(setenv("PATH", "", 1) == 0); /* no gnuplot */
    return 0;
}

static void table_show(TextTable *table, FILE *file)
{
    static const TableFormat formats[] = {TABLE_MARKDOWN, TABLE_CSV, TABLE_LATEX};
    fuzz_require(text_table_status(table).code == STATUS_OK);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        text_table_write(table, formats[i], file);
    text_table_free(table);
}

static void view_show(const RecordView *view, FILE *file)
{
    table_show(skinning_table(view, NULL), file);
    for (int kind = 0; kind < CELL_KIND_COUNT; kind++)
        fuzz_require(records_csv_write(view, (CellKind)kind, file).code == STATUS_OK);
    fuzz_require(records_csv_write(view, CSV_ENVIRONMENTS, file).code == STATUS_OK);
    table_show(fits_table(view, false), file);
    table_show(counts_table(view), file);
    table_show(reasons_table(view), file);
    for (int i = 0; i < tables.count; i++) {
        const TableView part = {tables.items[i], view, NULL};
        TableParts parts;
        if (!table_has_records(&part))
            continue;
        fuzz_require(table_parts(&part, &parts).code == STATUS_OK);
        for (int k = 0; k < parts.count; k++)
            table_show(parts.tables[k], file);
        table_show(table_long(&part, 1), file);
    }
}

/* Checks that a record is unchanged after writing and reading it again. */
static void record_repeat(const Record *record)
{
    CLEANUP(record_clear) Record again = {0};
    json_t *first = record_to_json(record), *second = NULL;
    fuzz_require(first);
    fuzz_require(record_from_json(first, "again", &again).code == STATUS_OK);
    second = record_to_json(&again);
    fuzz_require(json_equal(first, second));
    json_decref(first);
    json_decref(second);
}

static void store_show(const RecordStore *store)
{
    RecordView *views = NULL;
    Findings findings = {0};
    const CompareOptions options = {.tolerance = 0.0};
    OWNED_BY(free) char *text = NULL;
    size_t length = 0;
    int count = 0;
    FILE *file = open_memstream(&text, &length);
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        record_repeat(record);
    fuzz_require(record_views(store, &views, &count).code == STATUS_OK);
    for (int i = 0; i < count; i++)
        view_show(&views[i], file);
    const Status compared = records_compare(store, "a", store, "b", &options, &findings);
    fuzz_require(compared.code == STATUS_OK || compared.code == STATUS_BAD_INPUT);
    fuzz_require(findings_failing(&findings) == 0);
    findings_clear(&findings);
    memory_free(views);
    fclose(file);
    for (size_t i = 0; i < length; i++)
        fuzz_require((unsigned char)text[i] >= ' ' || text[i] == '\n');
}

/* Writes the records as a report without figures. This is slow, so it is done only for inputs whose length
 * is a multiple of 32. */
static void report_show(const RecordStore *store, size_t size)
{
    char folder[128], command[160], left_out[FIGURES_LEFT_OUT_BYTES];
    if (size % 32 != 0)
        return;
    snprintf(folder, sizeof folder, "%s", fuzz_path("report"));
    fuzz_status(report_write(store, "run.jsonl", NULL, folder, NULL, left_out));
    snprintf(command, sizeof command, "/bin/rm -rf '%s'", folder);
    fuzz_require(system(command) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    const char *path = fuzz_file("run.jsonl", data, size);
    if (tables.count == 0)
        fuzz_require(published_tables_read(NULL, &tables).code == STATUS_OK);
    Status status = record_store_read(&path, 1, &store);
    fuzz_status(status);
    fuzz_require((store != NULL) == (status.code == STATUS_OK));
    if (store) {
        store_show(store);
        report_show(store, size);
    }
    return 0;
}

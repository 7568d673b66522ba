/* skinbench table NAME...: runs published tables on the available data and prints published and measured
 * values side by side. */
#include "harness/commands/commands.h"

#include "harness/commands/known_data.h"
#include "harness/commands/measured_run.h"
#include "harness/commands/name_list.h"
#include "harness/records/files/noise.h"
#include "harness/records/papers/published.h"
#include "harness/run/suites/own_rigs.h"
#include "harness/show/tables/latex_table.h"
#include "harness/show/tables/table_print.h"

const CommandOption table_options[] = {
    TABLE_RUN_OPTIONS,
    {"format", "markdown|csv|latex",
     "output format (default: markdown); latex is one column wide and needs array, booktabs and siunitx"},
    {"rows", "ROW,...", "use only these rows; a comma followed by a space is part of a name"},
    {"columns", "COLUMN,...", "print only these columns (headings, or names as in --json)"},
    {"measured-only", NULL, "leave out rows without a measured number"},
    {"reference", "METHOD",
     "equal-cost: measure distances from this method's shapes, as in advise (default: delta-mush)"},
    {"best", NULL, "latex: print the best measured number of each row in bold"},
    {NULL, NULL, NULL},
};

static Status cell_print_json(const TableView *view, const TableRow *row, const TableColumn *column)
{
    TableCell cell = table_cell_find(view, row, column);
    json_t *object =
        json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:s, s:b}", "table", view->table->name, "row",
                  json_text(row->name), "column", column->name, "quantity", column->quantity, "published",
                  json_number_or_null(cell.published), "measured", json_number_or_null(cell.measured.value),
                  "state", table_cell_state_name(cell.state), "generated", row->stand_in);
    if (cell.measured.samples > 0) {
        json_set(object, "low", json_number_or_null(cell.measured.low));
        json_set(object, "high", json_number_or_null(cell.measured.high));
        json_set(object, "samples", json_integer(cell.measured.samples));
        json_set(object, "disturbed", json_boolean(cell.measured.disturbed));
    }
    if (view->records->machine)
        json_set(object, "machine", json_text(view->records->machine));
    return output_json(object);
}

/* Prints why cells failed. Columns that share a record, such as an error and its time, get one line. */
static void failures_print(const TableView *view)
{
    const PublishedTable *table = view->table;
    for (int r = 0; r < table->row_count; r++)
        for (int c = 0; c < table->column_count; c++) {
            const TableCell cell = table_cell_find(view, &table->rows[r], &table->columns[c]);
            bool is_told = cell.state != TABLE_CELL_FAILED || table->columns[c].hidden ||
                           cell.record->status == RECORD_OK; /* it only lacks this number */
            for (int k = 0; k < c && !is_told; k++)
                is_told = table_cell_find(view, &table->rows[r], &table->columns[k]).record == cell.record;
            if (!is_told)
                terminal_print("failed: %s, %s: %s\n", table->rows[r].name, table->columns[c].title,
                               cell.record->reason);
        }
}

/* Prints the table once for each machine in the result file. */
static Status table_print(const CommandLine *line, const PublishedTable *table, const RecordStore *store,
                          TableFormat format)
{
    OWNED RecordView *records = NULL;
    OWNED_BY(text_table_free) TextTable *all = NULL;
    int count = 0;
    STATUS_TRY(record_views(store, &records, &count));
    LOCAL_ARRAY(TableView, views, count, "a table");
    for (int i = 0; i < count; i++)
        views[i] = (TableView){table, &records[i], NULL};
    for (int i = 0; i < count && line->json; i++) {
        const TableView *view = &views[i];
        for (int r = 0; r < view->table->row_count; r++)
            for (int c = 0; c < view->table->column_count && table_row_listed(view, &view->table->rows[r]);
                 c++)
                if (!view->table->columns[c].hidden)
                    STATUS_TRY(cell_print_json(view, &view->table->rows[r], &view->table->columns[c]));
    }
    if (line->json)
        return status_ok();
    if (format == TABLE_CSV) {
        all = table_long(views, count);
        STATUS_TRY(text_table_status(all));
        text_table_write(all, format, stdout);
    }
    for (int i = 0; i < count && format == TABLE_LATEX; i++)
        latex_table_write(&views[i], command_line_flag(line, "best"), stdout);
    for (int i = 0; i < count && format == TABLE_MARKDOWN; i++) {
        CLEANUP(table_parts_free) TableParts parts = {.count = 0};
        char noise[NOISE_TEXT_BYTES] = "";
        STATUS_TRY(table_parts(&views[i], &parts));
        if (views[i].records->machine)
            terminal_print("Measured on %s\n\n", views[i].records->machine);
        for (int k = 0; k < parts.count; k++) {
            text_table_write(parts.tables[k], TABLE_MARKDOWN, stdout);
            putchar('\n');
        }
        failures_print(&views[i]);
        STATUS_TRY(noise_format(views[i].records, noise));
        if (noise[0])
            terminal_print("%s\n\n", noise);
    }
    for (int i = 0; i < table->note_count && format == TABLE_MARKDOWN; i++)
        terminal_print("%s\n", table->notes[i]);
    if (format == TABLE_MARKDOWN)
        return known_data_print_missing(views, count);
    return status_ok();
}

/* Removes rows for which no visible column has a number of any machine. */
static Status table_keep_measured(PublishedTable *table, const RecordStore *store)
{
    OWNED RecordView *records = NULL;
    int count = 0, kept = 0;
    STATUS_TRY(record_views(store, &records, &count));
    LOCAL_TABLE(char, texts, table->row_count, TABLE_TEXT_BYTES, "a table");
    LOCAL_ARRAY(const char *, names, table->row_count, "a table");
    for (int r = 0; r < table->row_count; r++) {
        bool measured = false;
        for (int i = 0; i < count; i++)
            for (int c = 0; c < table->column_count && !measured; c++)
                measured = !table->columns[c].hidden &&
                           table_cell_find(&(TableView){.table = table, .records = &records[i]},
                                           &table->rows[r], &table->columns[c])
                                   .state == TABLE_CELL_MEASURED;
        char *text = texts + (ptrdiff_t)r * TABLE_TEXT_BYTES;
        snprintf(text, TABLE_TEXT_BYTES, "%s", table->rows[r].name);
        if (measured)
            names[kept++] = text;
    }
    if (kept == 0)
        return status_make(STATUS_CHECK_FAILED, "no cell of the table %s was measured", table->name);
    return published_table_keep_rows(table, names, kept);
}

/* Reads the tables that the arguments name, with the rows and columns that the options keep. */
static Status tables_read(const CommandLine *line, PublishedTables *tables)
{
    NameList rows = {.count = 0}, columns = {.count = 0};
    STATUS_TRY(names_split(line, "rows", &rows));
    STATUS_TRY(names_split(line, "columns", &columns));
    ALLOCATE(tables->items, line->argument_count, "tables");
    for (int i = 0; i < line->argument_count; i++) {
        PublishedTable **table = &tables->items[tables->count++];
        STATUS_TRY(published_table_read(command_line_argument(line, i), table));
        STATUS_TRY(own_rigs_add(*table, command_line_value(line, "data")));
        STATUS_TRY(published_table_keep_rows(*table, rows.names, rows.count));
        STATUS_TRY(published_table_keep_columns(*table, columns.names, columns.count));
    }
    return status_ok();
}

Status table_command_run(const CommandLine *line)
{
    CLEANUP(measured_run_end) MeasuredRun run = {.line = NULL};
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    int format = TABLE_MARKDOWN;
    if (strcmp(command_line_argument(line, 0), "equal-cost") == 0)
        return equal_cost_run(line);
    if (command_line_value(line, "reference"))
        return bad_usage("only the table equal-cost accepts --reference");
    if (line->argument_count > 1 && (command_line_flag(line, "rows") || command_line_flag(line, "columns")))
        return bad_usage("--rows and --columns work only with one table");
    STATUS_TRY(option_choice(line, "format", &format));
    if (command_line_flag(line, "best") && format != TABLE_LATEX)
        return bad_usage("--best works only with --format latex");
    STATUS_TRY(tables_read(line, &tables));
    STATUS_TRY(
        measured_run_start_tables(line, (const PublishedTable *const *)tables.items, tables.count, &run));
    for (int i = 0; i < tables.count; i++) {
        PublishedTable *table = tables.items[i];
        for (int k = 0; k < run.bench.externals.count; k++)
            if (run.bench.externals.items[k]->kind != EXTERNAL_FIT)
                STATUS_TRY(published_table_add_program(table, run.bench.externals.items[k]->name));
        STATUS_TRY(table_run(table, &run.sources, &run.bench));
    }
    STATUS_TRY(bench_shard_end(&run.bench));
    for (int i = 0; i < tables.count && run.bench.forecast; i++) {
        int named = 0, found = 0;
        STATUS_TRY(table_rows_found(tables.items[i], &run.sources, &named, &found));
        if (run.sources.folder && named > 0 && found == 0)
            output_note(line,
                        "%s holds no data set that the table %s names, so only its generated rows would run",
                        run.sources.folder, tables.items[i]->name);
    }
    if (run.bench.forecast)
        return measured_run_print_forecast(&run);
    for (int i = 0; i < tables.count; i++) {
        if (command_line_flag(line, "measured-only"))
            STATUS_TRY(table_keep_measured(tables.items[i], run.bench.store));
        STATUS_TRY(table_print(line, tables.items[i], run.bench.store, (TableFormat)format));
    }
    return status_ok();
}

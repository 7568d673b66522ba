#include "harness/show/report/report_parts.h"

#include "harness/records/papers/published.h"
#include "harness/show/tables/table_print.h"

static void table_missing_count(const TableView *view, MissingCells *out)
{
    const PublishedTable *table = view->table;
    int states[TABLE_CELL_EMPTY + 1] = {0}, cells = 0;
    for (int r = 0; r < table->row_count; r++)
        for (int c = 0; c < table->column_count && table_row_listed(view, &table->rows[r]); c++)
            states[table_cell_find(view, &table->rows[r], &table->columns[c]).state]++;
    for (int s = 0; s < TABLE_CELL_EMPTY; s++) {
        cells += states[s];
        out->counts[s] += states[s];
    }
    out->cells += cells;
    if (cells == states[TABLE_CELL_MEASURED])
        return;
    text_table_row(out->table, NULL);
    text_table_cell(out->table, "%s: %s", table->name, table->title);
    for (int s = 0; s < TABLE_CELL_EMPTY; s++)
        text_table_exact(out->table, states[s]);
}

Status missing_count(const RecordView *records, MissingCells *out)
{
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    *out = (MissingCells){.table = text_table_create("Numbers of the published tables", "<table")};
    for (int s = 0; s < TABLE_CELL_EMPTY; s++)
        text_table_column_add(out->table, table_cell_state_name((TableCellState)s));
    STATUS_TRY(text_table_status(out->table));
    const Status read = published_tables_read(records, &tables);
    if (read.code != STATUS_BAD_INPUT) /* a damaged table is skipped, because another section reports it */
        STATUS_TRY(read);
    for (int i = 0; i < tables.count; i++) {
        const TableView view = {tables.items[i], records, NULL};
        if (table_has_records(&view))
            table_missing_count(&view, out);
    }
    return text_table_status(out->table);
}

void missing_clear(MissingCells *missing)
{
    text_table_free(missing->table);
    missing->table = NULL;
}

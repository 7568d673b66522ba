#include "harness/show/report/report_parts.h"

#include "harness/records/papers/published.h"
#include "harness/show/tables/table_print.h"

typedef struct MissingCount {
    const RecordView *records;
    MissingCells *out;
} MissingCount;

static Status missing_of_table(void *context, const PublishedTable *table)
{
    const MissingCount *count = context;
    const TableView view = {table, count->records, NULL};
    int states[TABLE_CELL_EMPTY + 1] = {0}, cells = 0;
    if (!table_has_records(&view))
        return status_ok();
    for (int r = 0; r < table->row_count; r++)
        for (int c = 0; c < table->column_count && table_row_listed(&view, &table->rows[r]); c++)
            states[table_cell_find(&view, &table->rows[r], &table->columns[c]).state]++;
    for (int s = 0; s < TABLE_CELL_EMPTY; s++) {
        cells += states[s];
        count->out->counts[s] += states[s];
    }
    count->out->cells += cells;
    if (cells == states[TABLE_CELL_MEASURED])
        return status_ok();
    text_table_row(count->out->table, NULL);
    text_table_cell(count->out->table, "%s: %s", table->name, table->title);
    for (int s = 0; s < TABLE_CELL_EMPTY; s++)
        text_table_exact(count->out->table, states[s]);
    return status_ok();
}

Status missing_count(const RecordView *records, MissingCells *out)
{
    *out = (MissingCells){.table = text_table_create("Numbers of the published tables", "<table")};
    for (int s = 0; s < TABLE_CELL_EMPTY; s++)
        text_table_column_add(out->table, table_cell_state_name((TableCellState)s));
    MissingCount count = {records, out};
    STATUS_TRY(text_table_status(out->table));
    const Status counted = published_tables_each(records, missing_of_table, &count);
    if (counted.code != STATUS_BAD_INPUT) /* a damaged table is skipped, because another section reports it */
        STATUS_TRY(counted);
    return text_table_status(out->table);
}

void missing_clear(MissingCells *missing)
{
    text_table_free(missing->table);
    missing->table = NULL;
}

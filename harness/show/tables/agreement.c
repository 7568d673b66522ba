/* The tables that set printed beside measured numbers. */
#include "harness/show/tables/agreement.h"

/* A cell that has both numbers. */
static bool compared(const TableView *view, const TableRow *row, const TableColumn *column,
                     const char *quantity, TableCell *cell)
{
    if (strcmp(column->quantity, quantity) != 0 || isnan(table_published(view->table, row, column)))
        return false;
    *cell = table_cell_find(view, row, column);
    return cell->state == TABLE_CELL_MEASURED;
}

static TextTable *unless_empty(TextTable *table)
{
    if (table && text_table_row_count(table) > 0)
        return table;
    text_table_free(table);
    return NULL;
}

TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title)
{
    const PublishedTable *table = view->table;
    TextTable *out = text_table_create(title, "<row|columns|Kendall's tau");
    double printed[TABLE_COLUMNS_MAX], measured[TABLE_COLUMNS_MAX];
    for (int r = 0; r < table->paper_row_count; r++) {
        TableCell cell;
        int count = 0;
        for (int c = 0; c < table->column_count; c++)
            if (table->columns[c].beside[0] == '\0' && /* else it repeats another's printed number */
                compared(view, &table->rows[r], &table->columns[c], quantity, &cell)) {
                printed[count] = cell.published;
                measured[count++] = cell.measured.value;
            }
        if (count < 2)
            continue;
        text_table_row(out, table->rows[r].name, NULL);
        text_table_cell(out, "%d", count);
        text_table_number(out, kendall_tau(printed, measured, count), 3);
    }
    return unless_empty(out);
}

TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title)
{
    const PublishedTable *table = view->table;
    TextTable *out = text_table_create(title, "<column|rows|median|least|most");
    double *ratios = memory_array((size_t)table->row_count + 1, sizeof *ratios);
    for (int c = 0; c < table->column_count && ratios; c++) {
        TableCell cell;
        int count = 0;
        for (int r = 0; r < table->paper_row_count; r++)
            if (compared(view, &table->rows[r], &table->columns[c], quantity, &cell) && cell.published != 0.0)
                ratios[count++] = cell.measured.value / cell.published;
        if (count == 0)
            continue;
        text_table_row(out, table->columns[c].title, NULL);
        text_table_cell(out, "%d", count);
        text_table_number(out, median_sorting(ratios, count), 3);
        text_table_number(out, ratios[0], 3);
        text_table_number(out, ratios[count - 1], 3);
    }
    memory_free(ratios);
    return unless_empty(out);
}

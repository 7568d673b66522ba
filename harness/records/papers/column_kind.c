/* Kinds of columns, and the state of a cell. */
#include "harness/records/papers/column_kind.h"

#include "harness/measure/timing/disturbance.h"

const ColumnKind *column_kind_find(const char *name)
{
    static const ColumnKind *const kinds[] = {&column_kind_fit, &column_kind_skinning, &column_kind_study,
                                              NULL};
    for (int i = 0; kinds[i]; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const char *table_cell_state_name(TableCellState state)
{
    static const char *const names[] = {
        [TABLE_CELL_MEASURED] = "measured",   [TABLE_CELL_MISSING] = "missing",
        [TABLE_CELL_NO_METHOD] = "no method", [TABLE_CELL_SKIPPED] = "skipped",
        [TABLE_CELL_FAILED] = "failed",       [TABLE_CELL_EMPTY] = ""};
    return names[state];
}

/* A record that is in order may lack what a column asks for: that is a failure where the paper has it. */
static TableCellState cell_state(const TableCell *cell)
{
    if (cell->record->status == RECORD_SKIPPED)
        return TABLE_CELL_SKIPPED;
    if (!isnan(cell->measured))
        return TABLE_CELL_MEASURED;
    return cell->record->status == RECORD_OK && isnan(cell->published) ? TABLE_CELL_EMPTY : TABLE_CELL_FAILED;
}

static bool divide_paired(TableCell *cell, const TableCell *by)
{
    enum { SAMPLES_MAX = 1024 };
    double scratch[3 * SAMPLES_MAX];
    if (!cell->series || !by->series || cell->samples != by->samples || cell->samples > SAMPLES_MAX ||
        cell->samples < 1 || strcmp(cell->record->run, by->record->run) != 0 ||
        strcmp(cell->record->cell.dataset.sha256, by->record->cell.dataset.sha256) != 0)
        return false;
    const size_t count = (size_t)cell->samples;
    const double unit = cell->measured / statistics_of(cell->series, count, 1, scratch).median /
                        (by->measured / statistics_of(by->series, count, 1, scratch).median);
    const Statistics ratio = statistics_of_ratios(cell->series, by->series, count, 1, scratch);
    const Interval interval = {unit * ratio.median, unit * ratio.interval_low, unit * ratio.interval_high};
    const CellValue value = cell_value_derived(&interval, cell->samples);
    cell->measured = value.number;
    cell->low = value.low;
    cell->high = value.high;
    return true;
}

void table_cell_divide(TableCell *cell, const TableCell *by)
{
    if (cell->samples == 0 && by->samples == 0) { /* exact, of any sign */
        cell->measured /= by->measured;
        cell->low = cell->high = cell->measured;
    } else if (!divide_paired(cell, by)) {
        cell->measured /= by->measured;
        cell->low = by->low > 0.0 ? cell->low / by->high : NAN;
        cell->high = by->low > 0.0 ? cell->high / by->low : NAN;
        if (by->samples > 0 && (cell->samples == 0 || by->samples < cell->samples))
            cell->samples = by->samples;
    }
    cell->series = NULL;
    cell->disturbed = cell->disturbed || by->disturbed;
}

static TableCell cell_read(const TableView *view, const TableRow *row, const TableColumn *column)
{
    const ColumnKind *kind = column->kind;
    TableCell cell = {.state = TABLE_CELL_MISSING,
                      .published = table_published(view->table, row, column),
                      .measured = NAN,
                      .low = NAN,
                      .high = NAN,
                      .record = kind->record_find(view, row, column)};
    if (cell.record) {
        const char *metric = kind == &column_kind_study ? NULL : column_metric(column->quantity);
        if (cell.record->status == RECORD_OK) {
            CellValue value = metric ? cell_value_exact(record_metric(cell.record, metric))
                                     : kind->value(column, cell.record);
            cell.measured = value.number;
            cell.low = value.low;
            cell.high = value.high;
            cell.samples = value.samples;
            cell.series = value.series;
            /* As its record says, or as samples that are the cell's own scatter. */
            enum { SAMPLES_MAX = 1024 };
            double scratch[2 * SAMPLES_MAX];
            bool disturbed = timing_is_disturbed(&cell.record->timing);
            if (cell.series && cell.samples <= SAMPLES_MAX) {
                const Statistics statistics = statistics_of(cell.series, (size_t)cell.samples, 1, scratch);
                disturbed = disturbed || samples_are_scattered(&statistics);
            }
            cell.disturbed = cell.samples > 0 && disturbed;
        }
        cell.state = cell_state(&cell);
    } else if (kind->built_in && !kind->built_in(column)) {
        cell.state = TABLE_CELL_NO_METHOD;
    }
    return cell;
}

TableCell table_cell_find(const TableView *view, const TableRow *row, const TableColumn *column)
{
    TableCell cell = cell_read(view, row, column);
    const TableColumn *other = table_column_find(view->table, column->relative_to);
    if (!other || cell.state != TABLE_CELL_MEASURED)
        return cell;
    const TableCell by = cell_read(view, row, other);
    if (by.state == TABLE_CELL_MEASURED)
        table_cell_divide(&cell, &by);
    else
        cell.state = by.state;
    return cell;
}

bool table_row_listed(const TableView *view, const TableRow *row)
{
    bool listed = !row->stand_in || row->dataset[0] == '\0';
    for (int c = 0; c < view->table->column_count && !listed; c++) {
        const TableCellState state = cell_read(view, row, &view->table->columns[c]).state;
        listed = state != TABLE_CELL_MISSING && state != TABLE_CELL_EMPTY && state != TABLE_CELL_NO_METHOD;
    }
    return listed;
}

bool column_is_time(const TableColumn *column)
{
    static const char *const names[] = {"time_s", "_ms", "ns_per_vertex"};
    bool found = strcmp(column->unit, "s") == 0 || strcmp(column->unit, "ms") == 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && column->relative_to[0] == '\0'; i++)
        found = found || strstr(column->quantity, names[i]) != NULL;
    return found;
}

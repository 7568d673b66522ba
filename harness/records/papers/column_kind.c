/* Implements the kinds of columns and determines the state of a cell. */
#include "harness/records/papers/column_kind.h"

#include "harness/measure/timing/disturbance.h"

SampledNumber cell_value_samples(const double *samples, int count)
{
    enum { SAMPLES_MAX = 4096 };
    double scratch[2 * SAMPLES_MAX];
    count = int_min(count, SAMPLES_MAX);
    const Statistics statistics = statistics_of(samples, (size_t)count, 1, scratch);
    const Interval interval = interval_of(&statistics, 1.0);
    SampledNumber value = sampled_number(&interval, count);
    value.series = samples;
    return value;
}

static bool builds_equal(const RecordStore *store, const Record *a, const Record *b)
{
    const EnvironmentRecord *of_a = record_store_environment(store, a);
    const EnvironmentRecord *of_b = record_store_environment(store, b);
    if (!of_a || !of_b)
        return of_a == of_b;
    return of_a->environment.dirty == of_b->environment.dirty &&
           strcmp(of_a->environment.commit, of_b->environment.commit) == 0 &&
           strcmp(of_a->environment.version, of_b->environment.version) == 0;
}

void table_view_note(const TableView *view, const Record *record)
{
    BuildsRead *builds = view->builds;
    if (!builds || builds->other || !record)
        return;
    if (!builds->first)
        builds->first = record;
    else if (!builds_equal(view->records->store, builds->first, record))
        builds->other = record;
}

const Record *table_row_record(const TableView *view, const TableRow *row)
{
    const Record *match = NULL;
    for (const Record *record = NULL; (record = record_view_next_kind(view->records, CELL_ROW, record));)
        if (strcmp(record->cell.table, view->table->name) == 0 && strcmp(record->cell.row, row->name) == 0 &&
            (!match || record->status == RECORD_OK || match->status != RECORD_OK))
            match = record;
    return match;
}

const char *table_row_digest(const TableView *view, const TableRow *row)
{
    const Record *record = table_row_record(view, row);
    return record && record->status == RECORD_OK ? record->cell.dataset.sha256 : "";
}

Status table_add_recorded(PublishedTable *table, const RecordView *records)
{
    const Record *record = NULL;
    while (table->own_rigs > 0 && (record = record_view_next_kind(records, CELL_STUDY, record)) != NULL)
        if (strcmp(record->cell.table, table->name) == 0 && table_row_is_own(record->cell.row))
            STATUS_TRY(published_table_add_own(table, record->cell.row));
    return status_ok();
}

double table_dataset_size(const CellDataset *dataset, TableSize size)
{
    return size == SIZE_VERTICES    ? dataset->vertices
           : size == SIZE_TRIANGLES ? dataset->triangles
           : size == SIZE_FRAMES    ? dataset->frames
                                    : dataset->joints;
}

const char *table_cell_state_name(TableCellState state)
{
    static const char *const names[] = {
        [TABLE_CELL_MEASURED] = "measured",   [TABLE_CELL_MISSING] = "missing",
        [TABLE_CELL_NO_METHOD] = "no method", [TABLE_CELL_SKIPPED] = "skipped",
        [TABLE_CELL_FAILED] = "failed",       [TABLE_CELL_EMPTY] = ""};
    return names[state];
}

/* Returns the state of a cell. An ok record may lack the number that the column needs; if the paper prints
 * that number, the cell counts as failed. */
static TableCellState cell_state(const TableCell *cell)
{
    if (cell->record->status == RECORD_SKIPPED)
        return TABLE_CELL_SKIPPED;
    if (!isnan(cell->measured.value))
        return TABLE_CELL_MEASURED;
    return cell->record->status == RECORD_OK && isnan(cell->published) ? TABLE_CELL_EMPTY : TABLE_CELL_FAILED;
}

static bool divide_paired(TableCell *cell, const TableCell *by)
{
    enum { SAMPLES_MAX = 1024 };
    double scratch[3 * SAMPLES_MAX];
    SampledNumber *number = &cell->measured;
    const SampledNumber *divisor = &by->measured;
    if (!number->series || !divisor->series || number->samples != divisor->samples ||
        number->samples > SAMPLES_MAX || number->samples < 1 ||
        strcmp(cell->record->run, by->record->run) != 0 ||
        strcmp(cell->record->cell.dataset.sha256, by->record->cell.dataset.sha256) != 0)
        return false;
    const size_t count = (size_t)number->samples;
    const double unit = number->value / statistics_of(number->series, count, 1, scratch).median /
                        (divisor->value / statistics_of(divisor->series, count, 1, scratch).median);
    const Statistics ratio = statistics_of_ratios(number->series, divisor->series, count, 1, scratch);
    const Interval interval = interval_of(&ratio, unit);
    *number = sampled_number(&interval, number->samples);
    return true;
}

void table_cell_divide(TableCell *cell, const TableCell *by)
{
    const bool disturbed = cell->measured.disturbed || by->measured.disturbed;
    if (!divide_paired(cell, by))
        cell->measured = sampled_ratio(&cell->measured, &by->measured);
    cell->measured.series = NULL;
    cell->measured.disturbed = disturbed;
}

static TableCell cell_read(const TableView *view, const TableRow *row, const TableColumn *column)
{
    const ColumnKind *kind = column->kind;
    TableCell cell = {.state = TABLE_CELL_MISSING,
                      .published = table_published(view->table, row, column),
                      .measured = exact_number(NAN),
                      .record = kind->record_find(view, row, column)};
    if (cell.record) {
        if (cell.record->status == RECORD_OK) {
            SampledNumber *number = &cell.measured;
            *number = kind->value(column, cell.record);
            /* A cell is disturbed if its record says so, or if the samples of its own number scatter too
             * much. */
            enum { SAMPLES_MAX = 1024 };
            double scratch[2 * SAMPLES_MAX];
            bool disturbed = timing_is_disturbed(&cell.record->timing);
            if (number->series && number->samples <= SAMPLES_MAX) {
                const Statistics statistics =
                    statistics_of(number->series, (size_t)number->samples, 1, scratch);
                disturbed = disturbed || samples_are_scattered(&statistics);
            }
            number->disturbed = number->samples > 0 && disturbed;
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

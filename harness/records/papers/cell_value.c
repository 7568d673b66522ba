/* Computes values of table cells from samples, and finds the records and data of rows. */
#include "harness/records/papers/cell_value.h"

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

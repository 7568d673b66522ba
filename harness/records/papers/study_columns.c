/* Columns of studies. One run of a study fills a row, or several runs if the columns name different
 * studies. A row may have no data set if its study needs none. */
#include "harness/records/papers/column_kind.h"
#include "harness/records/papers/study_names.h"

const char *table_study(const PublishedTable *table, const TableRow *row, const TableColumn *column)
{
    return column->study[0] != '\0' ? column->study : row->study[0] != '\0' ? row->study : table->study;
}

static Status study_name_check(const char *where, const char *owner, const char *name, const char *study)
{
#define STUDY_NAME(identifier, text) text,
    static const char *const names[] = {"", STUDY_NAMES(STUDY_NAME)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], study) == 0)
            return status_ok();
    return bad_input("%s: %s %s: there is no study '%s'", where, owner, name, study);
}

static Status study_check(const char *where, const PublishedTable *table, const TableColumn *column)
{
    STATUS_TRY(study_name_check(where, "table", table->name, table->study));
    STATUS_TRY(study_name_check(where, "column", column->name, column->study));
    for (int r = 0; r < table->row_count; r++) {
        const TableRow *row = &table->rows[r];
        STATUS_TRY(study_name_check(where, "row", row->name, row->study));
        if (table_study(table, row, column)[0] == '\0')
            return bad_input("%s: row %s, column %s: no study is named", where, row->name, column->name);
    }
    return status_ok();
}

static const Record *study_record_find(const TableView *view, const TableRow *row, const TableColumn *column)
{
    const char *study = table_study(view->table, row, column), *digest = table_row_digest(view, row);
    const Record *match = NULL;
    for (const Record *record = NULL; (record = record_view_next_kind(view->records, CELL_STUDY, record));) {
        const Cell *cell = &record->cell;
        if (strcmp(cell->study, study) == 0 && strcmp(cell->table, view->table->name) == 0 &&
            strcmp(cell->row, row->name) == 0 &&
            (digest[0] == '\0' || strcmp(cell->dataset.sha256, digest) == 0) &&
            argument_equal(cell->parameters, row->parameters))
            match = record;
    }
    table_view_note(view, match);
    return match;
}

/* Returns a number of a study, with its interval if the study kept the samples. */
static SampledNumber study_value(const TableColumn *column, const Record *record)
{
    const Measure *samples = measures_samples(&record->measures, column->quantity);
    return samples ? cell_value_samples(samples->curve, samples->count)
                   : exact_number(record_measure(record, column->quantity));
}

const ColumnKind column_kind_study = {
    .name = "study", .check = study_check, .record_find = study_record_find, .value = study_value};

#include "harness/tables/table_run.h"

#include "harness/tables/table_kind.h"
#include <string.h>

/* Every kind that a column of the table is of runs what the row needs of it. */
static Status row_run(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    const json_t *columns = json_object_get(published, "columns");
    Status status = status_ok();
    for (size_t i = 0; i < json_array_size(columns) && status.code == STATUS_OK; i++) {
        const TableKind *kind = column_kind_of(published, json_array_get(columns, i));
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = column_kind_of(published, json_array_get(columns, k)) != kind;
        if (first)
            status = kind->row_run(published, row, subject, bench);
    }
    return status;
}

static Status rows_run(const json_t *published, const json_t *rows, const TableSources *sources, Bench *bench)
{
    Status status = status_ok();
    for (size_t i = 0; i < json_array_size(rows) && status.code == STATUS_OK; i++) {
        const json_t *row = json_array_get(rows, i);
        Subject subject = {0};
        bool has_dataset = row_has_dataset(row), found = false;
        if (!progress_report(bench->progress, json_text_at(row, "name"),
                             (double)i / (double)json_array_size(rows)))
            return status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
        if (has_dataset)
            status = row_subject_load(row, sources, bench, &subject, &found);
        if (status.code == STATUS_OK && (found || !has_dataset))
            status = row_run(published, row, found ? &subject : NULL, bench);
        subject_clear(&subject);
    }
    return status;
}

Status table_run(const json_t *published, const TableSources *sources, Bench *bench)
{
    Status status = rows_run(published, json_object_get(published, "rows"), sources, bench);
    if (status.code == STATUS_OK)
        status = rows_run(published, json_object_get(published, "stand_ins"), sources, bench);
    return status;
}

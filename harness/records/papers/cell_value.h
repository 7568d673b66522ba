/* Values of table cells, read from records: functions shared by all kinds of columns (column_kind.h). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/published_table.h"

/* The first record that was read, and the first one measured by a different build. */
typedef struct BuildsRead {
    const Record *first, *other; /* NULL if there is none */
} BuildsRead;

/* A table and the records that fill it. */
typedef struct TableView {
    const PublishedTable *table;
    const RecordView *records;
    BuildsRead *builds; /* builds of the records that were read; NULL: not tracked */
} TableView;

/* The median of samples, or of a stage in units of 1 / factor seconds. NAN if it was not measured. */
SampledNumber cell_value_samples(const double *samples, int count);
SampledNumber cell_value_stage(const Record *record, Stage stage, double factor);

/* The metric of a column whose quantity is `metrics.NAME`, which every kind of column except study
 * supports. NULL for other quantities. */
const char *column_metric(const char *quantity);

/* Notes the build of a record from which a cell is read. */
void table_view_note(const TableView *view, const Record *record);

/* Finds the record of kind "row" that names the data of a row. It connects the row to all records of that
 * data, whichever table or bench run they were made for. Returns the last one that is ok, or else the last
 * one, which may say that the data are not available. NULL if the row was not run or an old version did not
 * record it. */
const Record *table_row_record(const TableView *view, const TableRow *row);
/* The digest of a row's data; "" if the row was not run on any data. */
const char *table_row_digest(const TableView *view, const TableRow *row);

/* The number of vertices, triangles, frames or joints. */
double table_dataset_size(const CellDataset *dataset, TableSize size);

/* Numbers of a table's cells, as records have them: what the kinds of columns share (column_kind.h). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/published_table.h"

/* The builds that records were measured by: the first record, and the first of another build. */
typedef struct BuildsRead {
    const Record *first, *other; /* NULL: there is none */
} BuildsRead;

/* A table and the records that it is filled from. */
typedef struct TableView {
    const PublishedTable *table;
    const RecordView *records;
    BuildsRead *builds; /* of the records that were read; NULL: not noted */
} TableView;

/* The median of samples; that of a stage, in units of 1 / factor seconds. NAN where it was not measured. */
SampledNumber cell_value_samples(const double *samples, int count);
SampledNumber cell_value_stage(const Record *record, Stage stage, double factor);

/* The metric of a column whose quantity is `metrics.NAME`, which every kind but study has; NULL: it is
 * another quantity. */
const char *column_metric(const char *quantity);

/* Notes the build of a record that a cell is read from. */
void table_view_note(const TableView *view, const Record *record);

/* What is known of a row's data: the last record of kind "row" that is ok, which ties the row to records of
 * that data whichever table or bench run they were made for, else the last that is not, such as one that
 * says the data are not available; NULL: the row was not run, or by a version that did not say so. */
const Record *table_row_record(const TableView *view, const TableRow *row);
/* The digest of a row's data; "": it was not run on any. */
const char *table_row_digest(const TableView *view, const TableRow *row);

/* Vertices, triangles, frames or joints. */
double table_dataset_size(const CellDataset *dataset, TableSize size);

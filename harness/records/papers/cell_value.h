/* Functions that read the values of table cells from records, shared by all kinds of columns
 * (column_kind.h). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/published_table.h"
#include "harness/records/record/record_numbers.h"

/* The builds of the program that measured the records read for a table: the first record that was read, and
 * the first later record that another build measured. */
typedef struct BuildsRead {
    const Record *first, *other; /* NULL if there is none */
} BuildsRead;

/* A table and the records that fill it. */
typedef struct TableView {
    const PublishedTable *table;
    const RecordView *records;
    BuildsRead *builds; /* builds of the records that were read; NULL: not tracked */
} TableView;

/* Returns the median of samples and its interval; NAN if there are none. */
SampledNumber cell_value_samples(const double *samples, int count);

/* Remembers the build that measured a record that fills a cell. */
void table_view_note(const TableView *view, const Record *record);

/* Finds the record of kind "row" that says on which data a row was run. It connects the row to all records
 * of these data, whichever table or bench run they were made for. Returns the last such record that is ok.
 * If none is ok, returns the last one, which may say that the data are not available. NULL if the row was
 * not run or an old version did not record it. */
const Record *table_row_record(const TableView *view, const TableRow *row);
/* Returns the digest of a row's data; "" if the row was not run on any data. */
const char *table_row_digest(const TableView *view, const TableRow *row);

/* Adds the rows that the records have of a user's own rigs, which the table's file cannot list. */
Status table_add_recorded(PublishedTable *table, const RecordView *records);

/* Returns the number of vertices, triangles, frames or joints. */
double table_dataset_size(const CellDataset *dataset, TableSize size);

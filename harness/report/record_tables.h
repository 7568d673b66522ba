/* Tables made of records: what `bench` prints and `report` writes. */
#ifndef SKINBENCH_REPORT_RECORD_TABLES_H
#define SKINBENCH_REPORT_RECORD_TABLES_H

#include "harness/records/record_store.h"
#include "harness/text/text_table.h"

/* Skinning cells that were timed: per vertex and frame, with ratios. `dataset`: only this digest's; NULL:
 * all. */
Status skinning_table(const RecordView *records, const char *dataset, TextTable **out);

/* The same with all digits, for CSV. */
Status skinning_long_table(const RecordView *records, TextTable **out);

/* Decomposition cells. */
Status fits_table(const RecordView *records, TextTable **out);

/* How many cells of each kind ended how. */
Status counts_table(const RecordView *records, TextTable **out);

/* Cells that are not "ok", with their reason. */
Status reasons_table(const RecordView *records, TextTable **out);

/* The record before which no other of this kind is of the same data set: the next after `previous`, NULL for
 * the first; NULL: there are no more. */
const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous);

#endif

/* Tables made of records: what `bench` prints and `report` writes. They may lack memory
 * (text_table_status). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/text/text_table.h"

/* Skinning cells that were timed: per vertex and frame, with ratios. `dataset`: only this digest's; NULL:
 * all. */
TextTable *skinning_table(const RecordView *records, const char *dataset);

/* What the machine allows those of them whose operations are counted. */
/* What devices say of themselves: the kernel, hot and cold, beside copies within the device, and what a frame
 * consists of.
 */
TextTable *devices_table(const RecordView *records, const char *dataset);
TextTable *limits_table(const RecordView *records, const char *dataset);

/* The peers that were timed beside them, likewise. */
TextTable *peers_table(const RecordView *records, const char *dataset);

/* Decomposition cells. */
TextTable *fits_table(const RecordView *records);

/* How many cells of each kind ended how. */
TextTable *counts_table(const RecordView *records);

/* Cells that are not "ok", with their reason. */
TextTable *reasons_table(const RecordView *records);

/* The record before which no other of this kind is of the same data set: the next after `previous`, NULL for
 * the first; NULL: there are no more. */
const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous);

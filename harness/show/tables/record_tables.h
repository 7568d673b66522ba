/* Tables made of records, printed by `bench` and written by `report`. Memory may have run out (check
 * text_table_status). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/text/text_table.h"

/* Timed skinning cells: times per vertex and frame, with ratios. `dataset`: only this digest; NULL: all. */
TextTable *skinning_table(const RecordView *records, const char *dataset);

/* Times reported by devices: the kernel, hot and cold, next to copies within the device, and the parts of a
 * frame. */
TextTable *devices_table(const RecordView *records, const char *dataset);

/* Limits of the machine for the skinning cells whose operations are counted. */
TextTable *limits_table(const RecordView *records, const char *dataset);

/* Peers timed in the same runs, for the same `dataset`. */
TextTable *peers_table(const RecordView *records, const char *dataset);

/* Decomposition cells. */
TextTable *fits_table(const RecordView *records);

/* How many cells of each kind had each outcome. */
TextTable *counts_table(const RecordView *records);

/* Cells that are not "ok", with the reason. */
TextTable *reasons_table(const RecordView *records);

/* Returns the first record of the next data set of this kind, after `previous` (NULL: the first data set);
 * NULL if there are no more. */
const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous);

/* Tables made of records, printed by `bench` and written by `report`. Memory may have run out (check
 * text_table_status). */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/text/text_table.h"

/* Returns the times of skinning cells, per vertex and per frame, with ratios. `dataset` is the digest of
 * the only data set to list; NULL lists all. */
TextTable *skinning_table(const RecordView *records, const char *dataset);

/* Returns the times that devices report: of the kernel with hot and cold caches, of copies within the
 * device, and of the parts of a frame. */
TextTable *devices_table(const RecordView *records, const char *dataset);

/* Returns the machine's limits for the skinning cells whose operations are counted. */
TextTable *limits_table(const RecordView *records, const char *dataset);

/* Returns the times of peers (other implementations) in the same runs. `dataset` is the digest of the only
 * data set to list; NULL lists all. */
TextTable *peers_table(const RecordView *records, const char *dataset);

/* Returns the decompositions by skinbench's own methods, or those by external programs, with what the
 * programs took. */
TextTable *fits_table(const RecordView *records, bool external);

/* Returns a table that counts the cells by kind and outcome. */
TextTable *counts_table(const RecordView *records);

/* Returns a table of the cells that are not "ok", with the reasons. */
TextTable *reasons_table(const RecordView *records);

/* Starts a row with the words for a cell: its data set, its method and parameters, its backend and its
 * threads. A study has its row and its table instead of the first two. */
void cell_row(TextTable *table, const Cell *cell);

/* Sets the number of the last cell, and links the cell to the record that has the number. A record that is
 * NULL is no link. */
void text_table_record(TextTable *table, const RecordView *view, const Record *record, double value);

/* Writes a cell with a number and its interval, which links to the record. */
void sampled_number_cell(TextTable *table, const RecordView *view, const Record *record,
                         const SampledNumber *number, int digits);

/* Writes the name of a cell's data set, with its number of vertices if the records have another data set of
 * that name. */
enum { DATASET_LABEL_BYTES = CELL_NAME_BYTES + 32 };
void dataset_label(const RecordView *records, const Cell *cell, char label[DATASET_LABEL_BYTES]);

/* Returns the first record of the next data set of this kind, after `previous` (NULL: the first data set);
 * NULL if there are no more. */
const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous);

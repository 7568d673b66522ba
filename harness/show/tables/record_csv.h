/* Writes records as CSV without losing anything. A row is a record, and a column is a member that any
 * record has, named by its path ("dataset.sha256", "parameters.hemisphere", "timing.skin.median_s";
 * results/formats.md documents the members). Numbers have the fewest digits that read back as the same
 * double. Lists are quoted JSON ("[1.5,2]"), flags true and false, and null or missing members empty cells.
 * Texts are escaped as in every table (text_table.h). */
#pragma once

#include "harness/records/files/record_store.h"

/* Pass this instead of a kind to write the environments of the view's runs, with the hash by which records
 * refer to them. */
#define CSV_ENVIRONMENTS CELL_KIND_COUNT

/* Writes the records of one kind, or nothing if there are none. */
Status records_csv_write(const RecordView *records, CellKind kind, FILE *file);

/* Records as CSV that loses nothing: a row for each, a column for every member that one of them has, called
 * by its place ("dataset.sha256", "parameters.hemisphere", "timing.skin.median_s"; results/README.md
 * documents the members). Numbers stand in the fewest digits that read back as the same double, lists as JSON
 * in quotes ("[1.5,2]"), flags as true and false; a cell is empty where the member is null or not there.
 * Texts are escaped as in every table (text_table.h). */
#pragma once

#include "harness/records/files/record_store.h"

/* In place of a kind: what the runs of the view were measured with, by the hash that records name. */
#define CSV_ENVIRONMENTS CELL_KIND_COUNT

/* The records of one kind. Nothing is written where there are none. */
Status records_csv_write(const RecordView *records, CellKind kind, FILE *file);

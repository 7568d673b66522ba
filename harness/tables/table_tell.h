/* A published table beside what was measured: published -> measured (difference), row by row. */
#ifndef SKINBENCH_TABLES_TABLE_TELL_H
#define SKINBENCH_TABLES_TABLE_TELL_H

#include "harness/text/text_table.h"
#include "harness/tables/table_kind.h"
#include <jansson.h>
#include <stdbool.h>

/* The parts a table is told in, as its kind tells it. Plainly: one table of rows and columns, and one of what
 * could not be measured and why. `parts` [TABLE_PARTS_MAX] for text_table_free. */
Status table_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count);

/* All cells as rows of one long table (for CSV): table, row, data set, column, quantity, published, measured,
 * difference, ratio, state. */
Status table_long(const json_t *published, const json_t *latest, TextTable **out);

/* Appends one cell: "1.3 → 1.41 (+8 %)". Measured numbers have the column's `digits` (default 3). expected:
 * whether a paper could have printed something here, so that "- → 1.41" says that it did not. */
void table_cell_write(TextTable *table, const json_t *column, const TableCell *cell, bool expected);

/* Whether any record of `latest` belongs to the table. */
bool table_has_records(const json_t *published, const json_t *latest);

#endif

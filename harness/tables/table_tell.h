/* A published table beside what was measured: published -> measured (difference), row by row. */
#ifndef SKINBENCH_TABLES_TABLE_TELL_H
#define SKINBENCH_TABLES_TABLE_TELL_H

#include "harness/report/text_table.h"
#include <jansson.h>
#include <stdbool.h>

enum { TABLE_PARTS_MAX = 4 };

typedef enum TableCellState {
    TABLE_CELL_MEASURED,
    TABLE_CELL_MISSING,   /* the data set is not there */
    TABLE_CELL_NO_METHOD, /* the method is not built in */
    TABLE_CELL_FAILED,    /* tried: skipped or failed */
    TABLE_CELL_EMPTY      /* nothing published and nothing to measure */
} TableCellState;

typedef struct TableCell {
    TableCellState state;
    double published, measured; /* NAN: none */
} TableCell;

/* "measured", "missing", "no method", "failed", "". */
const char *table_cell_state_name(TableCellState state);

/* What is known of one cell; latest: as records_latest gives it. */
TableCell table_cell_find(const json_t *published, const json_t *row, const json_t *column,
                          const json_t *latest);

/* The record of a row under a column; NULL: none. Borrowed. */
const json_t *table_record_find(const json_t *published, const json_t *row, const json_t *column,
                                const json_t *latest);

/* The parts a table is told in: for a table of errors and times one each, and the calibration by SVD; for a
 * figure its curves at a few iterations. `parts` [TABLE_PARTS_MAX] for text_table_free. */
Status table_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count);

/* All cells as rows of one long table (for CSV): table, row, data set, column, quantity, published, measured,
 * difference, ratio, state. */
Status table_long(const json_t *published, const json_t *latest, TextTable **out);

/* Whether any record of `latest` belongs to the table. */
bool table_has_records(const json_t *published, const json_t *latest);

#endif

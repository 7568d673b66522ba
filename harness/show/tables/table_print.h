/* Prints a published table next to measurements, row by row: published -> measured (difference). Also
 * prints how well the two agree in order and in size. */
#pragma once

#include "harness/records/papers/column_kind.h"
#include "harness/show/text/text_table.h"

enum {
    TABLE_PARTS_MAX = 3 * TABLE_COLUMNS_MAX
}; /* each quantity has one part for its numbers, and two parts for their agreement with the paper */

typedef struct TableParts {
    TextTable *tables[TABLE_PARTS_MAX];
    int count;
} TableParts;

/* Prints the parts of a table: its rows and columns (one part, or one per quantity), the cells that could
 * not be measured and why, and some points of each curve if it is a figure of iterations. Release with
 * table_parts_free, also on failure. */
Status table_parts(const TableView *view, TableParts *out);
void table_parts_free(TableParts *parts);

/* Returns one long table for CSV with a row for each cell: published and measured value with all digits,
 * and the data, method, setting and run of the record. If there are several views [count], a column names
 * the machine. text_table_status reports whether memory ran out. */
TextTable *table_long(const TableView *views, int count);

/* Whether any record belongs to the table. */
bool table_has_records(const TableView *view);

/* Return how well measured numbers agree with published ones, over the columns of one quantity that the
 * paper prints and over the paper's own rows. agreement_of_rows compares the order within each row
 * (Kendall's tau). agreement_of_columns gives the median, minimum and maximum over the rows of measured /
 * published. Both return NULL if no row has two comparable numbers, or if memory runs out. */
TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title);
TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title);

/* Prints a published table next to measurements, row by row: published -> measured (difference). Also
 * prints how well both agree in order and in size. */
#pragma once

#include "harness/records/papers/column_kind.h"
#include "harness/show/text/text_table.h"

enum {
    TABLE_PARTS_MAX = 3 * TABLE_COLUMNS_MAX
}; /* one for each quantity, and two for its agreement with the paper */

/* Prints the parts of a table: its rows and columns (one part, or one per quantity), what could not be
 * measured and why, and for a figure of iterations some points of its curves. Release parts
 * [TABLE_PARTS_MAX] with text_table_free. */
Status table_parts(const TableView *view, TextTable **parts, int *count);

/* Returns all cells as rows of one long table for CSV, with all digits: published and measured value, and
 * the data, method, setting and run of the record. Several views [count] of the table add the machine.
 * Returns NULL if memory runs out. */
TextTable *table_long(const TableView *views, int count);

/* Whether any record belongs to the table. */
bool table_has_records(const TableView *view);

/* Agreement of measured with published numbers, for the columns of a quantity that the paper prints, in the
 * paper's own rows. agreement_of_rows compares the order within each row (Kendall's tau),
 * agreement_of_columns the size in each column (measured over printed: median, minimum and maximum over the
 * rows). NULL if no row has two comparable numbers, or if memory runs out. */
TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title);
TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title);

/* A published table beside what was measured: published -> measured (difference), row by row,
 * and how both agree: in their order, and in their size. */
#pragma once

#include "harness/records/papers/column_kind.h"
#include "harness/show/text/text_table.h"

enum {
    TABLE_PARTS_MAX = 3 * TABLE_COLUMNS_MAX
}; /* one for each quantity, and two of its agreement with print */

/* The parts that a table is printed in: of rows and columns, one or one for each quantity; what
 * could not be measured and why; of a figure of iterations its curves at a few of them. `parts`
 * [TABLE_PARTS_MAX] for text_table_free. */
Status table_parts(const TableView *view, TextTable **parts, int *count);

/* All cells as rows of one long table (for CSV), with all digits: what is published and measured, and of the
 * record that it comes from data, method, setting and run; the machine, where there are several views [count]
 * of one table. NULL: out of memory. */
TextTable *table_long(const TableView *views, int count);

/* Whether any record belongs to the table. */
bool table_has_records(const TableView *view);

/* Of the columns of a quantity that the paper prints, in the paper's own rows: the order of each row
 * (Kendall's tau of printed and measured numbers), and the size of each column (measured over printed:
 * median, least and most of the rows). NULL: fewer than two numbers of any row can be compared, or out of
 * memory. */
TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title);
TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title);

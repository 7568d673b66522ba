/* How printed and measured numbers agree: in their order, and in their size. */
#pragma once

#include "harness/records/papers/column_kind.h"
#include "harness/show/text/text_table.h"

/* Of the columns of a quantity that the paper prints, in the paper's own rows: the order of each row
 * (Kendall's tau of printed and measured numbers), and the size of each column (measured over printed:
 * median, least and most of the rows). NULL: fewer than two numbers of any row can be compared, or out of
 * memory. */
TextTable *agreement_of_rows(const TableView *view, const char *quantity, const char *title);
TextTable *agreement_of_columns(const TableView *view, const char *quantity, const char *title);

/* Writes a published table with booktabs and siunitx, as wide as one column of a paper. Published and
 * measured numbers have separate columns. A wide table is divided into blocks of columns, one below the
 * other. */
#pragma once

#include "harness/records/papers/column_kind.h"

/* Writes the table. With `best`, the best measured number of a row is bold, among columns of the same
 * quantity. Lower is better for errors, times and sizes; a metric may say that higher is better. */
void latex_table_write(const TableView *view, bool best, FILE *file);

/* Writes a published table for a paper, one column wide, with booktabs and siunitx. Published and measured
 * numbers have separate columns. A wide table is divided into blocks of columns, one below the other. */
#pragma once

#include "harness/records/papers/column_kind.h"

/* `best`: prints the best measured number of a row in bold, among several columns of one quantity for which
 * lower is better (errors, times, sizes) or whose metric says which is better. */
void latex_table_write(const TableView *view, bool best, FILE *file);

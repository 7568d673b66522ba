/* A published table for a paper, one column wide: booktabs and siunitx, published and measured numbers in
 * columns of their own. Of a wide table several blocks of columns stand one below the other. */
#pragma once

#include "harness/records/papers/column_kind.h"

/* `best`: prints the best measured number of a row in bold, where several of its columns have one quantity
 * that is better when lower (errors, times, sizes) or that a metric says is. */
void latex_table_write(const TableView *view, bool best, FILE *file);

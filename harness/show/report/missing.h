/* What of the papers' tables could not be measured. On index.html alone. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/column_kind.h"
#include "harness/show/text/text_table.h"

/* Counts of the cells of tables that have records in the view. */
typedef struct MissingCells {
    int cells;                        /* all but empty ones */
    int counts[TABLE_CELL_EMPTY + 1]; /* by state */
    TextTable *table;                 /* a row for each table that lacks some: its counts by reason */
} MissingCells;

/* Release with missing_clear, on failure too. */
Status missing_count(const RecordView *records, MissingCells *out);
void missing_clear(MissingCells *missing);

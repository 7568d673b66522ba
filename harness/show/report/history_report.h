/* A report of changes over commits, in a folder like that of report.h. */
#pragma once

#include "harness/records/history/history.h"
#include "harness/show/report/report_page.h"

/* Lists the changes of the history: the cell, its number before and after, and the commits between which it
 * changed; regressions first, then by size. Memory may have run out (check text_table_status). */
TextTable *history_changes_table(const History *history);

/* Writes the report in the manner of report_write: the changes, figures of at most 24 series (largest
 * changes first), the commits, and history.csv with every number of every series. */
Status history_report_write(const History *history, const char *source, const char *folder,
                            const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

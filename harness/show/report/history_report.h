/* A report of changes over commits, in a folder like that of report.h. */
#pragma once

#include "harness/records/history/history.h"
#include "harness/show/report/report_page.h"

/* Returns a table of the history's changes. Each row has the cell, its number before and after, and the two
 * commits between which it changed. Regressions come first, then larger changes before smaller ones.
 * text_table_status reports whether memory ran out. */
TextTable *history_changes_table(const History *history);

/* Writes the report by the rules of report_write. It contains the changes, figures of the 24 series with
 * the largest changes, the commits, and history.csv with every number of every series. */
Status history_report_write(const History *history, const char *source, const char *folder,
                            const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

/* A report of what changed over commits: the same folder as report.h writes, of a history in place of
 * records. */
#pragma once

#include "harness/records/history/history.h"
#include "harness/show/report/report_page.h"

/* Each change of the history: the cell, its number before and after, and the commits between which it lies;
 * what got worse first, then by the size of the change. May lack memory (text_table_status). */
TextTable *history_changes_table(const History *history);

/* Writes the report, as report_write does: the changes, figures of the series (of at most 24; what changed
 * most first), the commits, and history.csv with every number of every series. */
Status history_report_write(const History *history, const char *source, const char *folder,
                            const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

/* What several machines measured, side by side: for people who merge results, or read several files into one
 * report. */
#pragma once

#include "harness/show/report/report_page.h"

/* Of the cells that more than one of the machines measured: their times and ratios, a column for each
 * machine, with the ratio between the first that has the cell and each other one (its interval has each end
 * with the other's worst), and whether what is exact agrees (quantity.h). Writes nothing where there is one
 * machine. */
Status machine_comparison_write(ReportPage *report, const RecordView *views, int count);

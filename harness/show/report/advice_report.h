/* The result of `advise`, as a table and as a page. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/show/report/report_page.h"

/* Returns a table with a row for each method: its verdict, loss and cost. The smallest loss comes first. If
 * `whole` is set, the table has all measures. Returns NULL if memory runs out. */
TextTable *advice_table(const Advice *advice, bool whole);

/* Writes a folder by the rules of report_write. It contains the advice, its rule, the plot, the joints at
 * which methods differ most (joints.png) and the table. Without gnuplot or Embree only the pictures are
 * missing. */
Status advice_report_write(const Advice *advice, const char *source, const char *folder, int threads,
                           const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

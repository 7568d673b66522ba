/* The result of `advise`, as a table and as a page. */
#pragma once

#include "harness/show/report/advice_steps.h"
#include "harness/show/report/report_page.h"

/* Returns a table with a row for each method: its standing, loss and cost. The advised method comes first,
 * then those that no other dominates, those that are dominated, and those that are unsafe. If `whole` is set,
 * the table has all measures. text_table_status reports whether memory ran out. */
TextTable *advice_table(const Advice *advice, bool whole);

/* Writes a folder by the rules of report_write. It contains the advice, pictures of the joints at which the
 * advised method differs most from lbs, what to do now, the plot, the table and the rule. Without gnuplot or
 * Embree only the pictures are missing. */
Status advice_report_write(const Advice *advice, const AdviceFile *file, const char *folder, int threads,
                           const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

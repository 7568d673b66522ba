/* What `advise` says, as a table and as a page. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/show/report/report_page.h"

/* A row for each method, the least loss first: how it stands to the others, its loss and its cost; `whole`:
 * all measures, too. NULL: out of memory. */
TextTable *advice_table(const Advice *advice, bool whole);

/* A folder as report_write makes one: the sentence, its rule, the plot, the joints where methods differ most
 * (joints.png) and the table. Without gnuplot or Embree it is whole but for its pictures. */
Status advice_report_write(const Advice *advice, const char *source, const char *folder, int threads,
                           const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

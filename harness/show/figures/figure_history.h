/* The figure of a number over commits (scripts/plots/history.gp). */
#pragma once

#include "harness/records/history/history.h"
#include "harness/show/figures/gnuplot.h"

enum { HISTORY_CURVES_MAX = 6 };

/* Has series of one number [count], at most HISTORY_CURVES_MAX, drawn as the figures of tables are, and
 * adds the plot for the page. */
Status figure_of_history(const History *history, const HistorySeries *const *series, int count,
                         const char *heading, PlotFigure *out);

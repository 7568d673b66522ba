/* Draws a number of a run as it develops over the commits (scripts/plots/history.gp). */
#pragma once

#include "harness/records/history/history.h"
#include "harness/show/figures/gnuplot.h"

enum { HISTORY_CURVES_MAX = 6 };

/* Draws series [count], at most HISTORY_CURVES_MAX, of one number over the commits to folder/name, and adds
 * the plot to the page. */
Status figure_of_history(const History *history, const HistorySeries *const *series, int count,
                         const char *heading, PlotFigure *out);

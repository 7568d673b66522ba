/* The figures of a report: data are written as tab-separated text and drawn by
 * scripts/plots/<figure>.gp. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/records/papers/column_kind.h"
#include "harness/show/figures/gnuplot.h"
#include "harness/show/figures/page_plots.h"

/* Each function writes folder/name.tsv and the program that draws it, and adds the plot `name`. *drawn:
 * whether there is anything to draw. */

/* Draws bars of ns per vertex for one data set's skinning cells. With `limits`, draws cycles per vertex of
 * the skin stage and of a frame instead, with marks at the limits of the machine, for cells with known
 * limits. */
Status figure_skinning(const RecordView *records, const CellDataset *dataset, bool limits, const char *folder,
                       const char *name, PagePlots *plots, bool *drawn);

/* Draws a figure requested by the table. row: the row of a figure per row; NULL: all rows. */
Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, const char *folder,
                    const char *name, PagePlots *plots, bool *drawn);

/* Draws the cost of methods on a rig against the harm they do, with their names. */
Status figure_advice(const Advice *advice, AdviceCost cost, const char *folder, const char *name,
                     PagePlots *plots, bool *drawn);

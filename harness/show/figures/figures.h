/* The figures of a report. Their data are written as tab-separated text and drawn by
 * scripts/plots/<figure>.gp. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/records/papers/column_kind.h"
#include "harness/show/figures/gnuplot.h"

/* Each function writes folder/name.tsv and the program that draws it, and adds the plot `name` to the page.
 * out->drawn says whether there is anything to draw. */

/* Draws bars for the skinning cells of one data set. Without `limits` they show ns per vertex. With
 * `limits` there are two bars per cell, for the skin stage and for a whole frame, in cycles per vertex;
 * marks show the machine's limits. Cells with unknown limits are left out. */
Status figure_skinning(const RecordView *records, const CellDataset *dataset, bool limits, PlotFigure *out);

/* Draws a figure of a published table. row: the row to draw, for a figure that is drawn once per row; NULL:
 * all rows. */
Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, PlotFigure *out);

/* Draws the distances of the rigs in the group of scores of `first` (score_table.h), from best to worst. */
Status figure_scores(const RecordView *records, const Record *first, PlotFigure *out);

/* Plots the cost of each method on a rig against its loss, and names each method. */
Status figure_advice(const Advice *advice, AdviceCost cost, PlotFigure *out);

/* ---- the figures of published tables, one function for each kind ---- */

enum { PLOT_SERIES_MAX = 40 };

/* A figure to draw, and where to write it. */
typedef struct FigureRequest {
    const TableView *view;
    const TableFigure *figure;
    const TableRow *row; /* the only row to draw; NULL: all rows */
    const char *heading;
    PlotFigure *out;
} FigureRequest;

Status figure_of_curves(const FigureRequest *request);
Status figure_of_iterations(const FigureRequest *request);
Status figure_of_published(const FigureRequest *request);
Status figure_of_scatter(const FigureRequest *request);

/* The figures of a report: data are written as tab-separated text and drawn by
 * scripts/plots/<figure>.gp. */
#pragma once

#include "harness/records/advice/advice.h"
#include "harness/records/papers/column_kind.h"
#include "harness/show/figures/gnuplot.h"

/* Each function writes folder/name.tsv and the program that draws it, and adds the plot `name`. *drawn:
 * whether there is anything to draw. */

/* Bars of ns per vertex of one data set's skinning cells; limits: of cycles per vertex of the same cells, of
 * the skin stage and of a frame, with marks at what the machine allows each: those of them that limits are
 * known of. */
Status figure_skinning(const RecordView *records, const CellDataset *dataset, bool limits, PlotFigure *out);

/* What a figure of the table asks for. row: of a figure per row, that row's alone; NULL: of all. */
Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, PlotFigure *out);

/* What methods cost on a rig against the harm that they do, each with its name. */
Status figure_advice(const Advice *advice, AdviceCost cost, PlotFigure *out);

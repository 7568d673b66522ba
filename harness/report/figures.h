/* The figures of a report: data written as tab-separated text, drawn by scripts/plots/<figure>.gp. */
#ifndef SKINBENCH_REPORT_FIGURES_H
#define SKINBENCH_REPORT_FIGURES_H

#include "harness/report/figure_parts.h"
#include "harness/report/page_plots.h"
#include "harness/tables/column_kind.h"

/* Each writes folder/name.tsv and draws it, and adds it to the plots as `name`. *drawn: whether there was anything to
 * draw; without gnuplot the data are written and STATUS_UNAVAILABLE is returned. */

/* Bars of ns per vertex of one data set's skinning cells. */
Status figure_skinning(const RecordView *records, const CellDataset *dataset, const char *folder,
                       const char *name, PagePlots *plots, bool *drawn);

/* What a figure of the table asks for. row: of a figure per row, that row's alone; NULL: of all. */
Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, const char *folder,
                    const char *name, PagePlots *plots, bool *drawn);

#endif

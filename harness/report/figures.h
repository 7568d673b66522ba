/* The figures of a report: data written as tab-separated text, drawn by scripts/plots/<figure>.gp. */
#ifndef SKINBENCH_REPORT_FIGURES_H
#define SKINBENCH_REPORT_FIGURES_H

#include "harness/tables/column_kind.h"

enum { FIGURE_NAME_BYTES = 96 };

/* A name for files from any text: letters, digits and dashes. */
void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES]);

/* Each writes folder/name.tsv and draws it. *drawn: whether there was anything to draw; without gnuplot the
 * data are written and STATUS_UNAVAILABLE is returned. */

/* Bars of ns per vertex of one data set's skinning cells. */
Status figure_skinning(const RecordView *records, const CellDataset *dataset, const char *folder,
                       const char *name, bool *drawn);

/* What the table's `figure` asks for. row: of a figure per row, that row's alone; NULL: of all. */
Status figure_table(const TableView *view, const TableRow *row, const char *folder, const char *name,
                    bool *drawn);

#endif

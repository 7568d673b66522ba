/* The figures of published tables, by kind: each function writes its data and has them drawn. */
#pragma once

#include "harness/show/figures/figures.h"

enum { PLOT_SERIES_MAX = 40 };

/* A figure to draw, and its destination. */
typedef struct FigureRequest {
    const TableView *view;
    const TableFigure *figure;
    const TableRow *row; /* draw only this row; NULL: all */
    const char *folder, *name, *heading;
    PagePlots *plots; /* plots of index.html, to which the figure is added */
} FigureRequest;

Status figure_of_curves(const FigureRequest *request, bool *drawn);
Status figure_of_iterations(const FigureRequest *request, bool *drawn);
Status figure_of_published(const FigureRequest *request, bool *drawn);
Status figure_of_scatter(const FigureRequest *request, bool *drawn);

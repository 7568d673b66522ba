/* Functions that draw the figures of published tables, one function for each kind of figure. */
#pragma once

#include "harness/show/figures/figures.h"

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

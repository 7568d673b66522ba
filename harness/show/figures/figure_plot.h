/* The figures of published tables, by kind: each function writes its data and has them drawn. */
#pragma once

#include "harness/show/figures/figures.h"

enum { PLOT_SERIES_MAX = 40 };

/* A figure to draw, and its destination. */
typedef struct FigureRequest {
    const TableView *view;
    const TableFigure *figure;
    const TableRow *row; /* that alone; NULL: all */
    const char *heading;
    PlotFigure *out;
} FigureRequest;

Status figure_of_curves(const FigureRequest *request);
Status figure_of_iterations(const FigureRequest *request);
Status figure_of_published(const FigureRequest *request);
Status figure_of_scatter(const FigureRequest *request);

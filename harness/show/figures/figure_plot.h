/* The figures of published tables, by kind: each writes its data and has them drawn. */
#pragma once

#include "harness/show/figures/figures.h"

enum { PLOT_SERIES_MAX = 40, PLOT_NAMES_BYTES = 4096 };

/* What is to be drawn, and where to. */
typedef struct FigureRequest {
    const TableView *view;
    const TableFigure *figure;
    const TableRow *row; /* that alone; NULL: all */
    const char *folder, *name, *heading;
    PagePlots *plots; /* where the figure is put for the page's script too */
} FigureRequest;

Status figure_of_curves(const FigureRequest *request, bool *drawn);
Status figure_of_iterations(const FigureRequest *request, bool *drawn);
Status figure_of_published(const FigureRequest *request, bool *drawn);
Status figure_of_scatter(const FigureRequest *request, bool *drawn);

/* Appends words to a text [PLOT_NAMES_BYTES] for gnuplot's word(): a name in double quotes; a number. */
void plot_name_add(char *words, const char *name);
void plot_number_add(char *words, double number);

/* The span of what is drawn on an axis. */
typedef struct PlotSpan {
    double lowest, highest; /* lowest > highest: nothing */
} PlotSpan;

PlotSpan plot_span_none(void);
void plot_span_add(PlotSpan *span, double value); /* NAN adds nothing */
/* Whether an axis is logarithmic: all is positive and spans more than 50 times. */
bool plot_span_is_wide(const PlotSpan *span);

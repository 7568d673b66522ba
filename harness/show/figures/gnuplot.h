/* Writes texts and ranges for plots, and draws figures with the gnuplot that is found on the PATH. Each
 * figure is first written as a program; later all programs are run together. */
#pragma once

#include "harness/show/figures/page_plots.h"
#include "harness/show/text/report_file.h"
#include "harness/show/text/targets.h"

/* Writes gnuplot's version to text [size]; fails with STATUS_UNAVAILABLE if it is not on the PATH. */
Status gnuplot_probe(char *text, size_t size);
/* Whether gnuplot can be prevented from starting other programs while it draws. A trial run finds out. */
bool gnuplot_is_confined(void);

/* The files of a figure in the report's folder: plot-NUMBER.tsv, plot-NUMBER-rings.tsv and
 * plot-NUMBER.gp. */
typedef enum FigurePart { FIGURE_DATA, FIGURE_RINGS, FIGURE_PROGRAM, FIGURE_PARTS } FigurePart;

/* A figure that is being written. Release with figure_clear. */
typedef struct PlotFigure {
    const char *folder, *name; /* name of the pictures (NAME.svg) and of the plot on the page */
    int number;
    PagePlots *plots; /* collection of plots for the page's script; the figure is added to it */
    PlotFile parts[FIGURE_PARTS];
    bool drawn; /* whether there is anything to draw; if so, its program has been written */
} PlotFigure;

void figure_clear(PlotFigure *figure);
void figure_part_name(int number, FigurePart part, char name[FIGURE_NAME_BYTES]);

/* Open and close one file of a figure. `out` is borrowed from the figure. */
Status figure_part_open(PlotFigure *figure, FigurePart part, PlotFile **out);
Status figure_part_close(PlotFigure *figure, FigurePart part);

/* Start and end the program of a figure. figure_program_start sets the variables `heading`, `data`, `face`
 * and `output_name`. The caller then adds the variables that the figure's script needs. figure_program_end
 * appends scripts/plots/<script>.gp, which loads common.gp from the same folder. */
Status figure_program_start(PlotFigure *figure, const char *heading, PlotFile **program);
Status figure_program_end(PlotFigure *figure, const char *script);

/* Whether gnuplot can draw all numbers of the figure. */
bool figure_is_drawable(const PlotFigure *figure);

enum { FIGURE_PROCESSES_MAX = 16, FIGURE_REASON_BYTES = 512 };

/* A figure to be drawn. */
typedef struct Drawing {
    char name[FIGURE_NAME_BYTES];
    int number;
    char reason[FIGURE_REASON_BYTES]; /* why the figure cannot be drawn; "" if no reason is known */
} Drawing;

/* Draws the figures [count] as SVG, PDF and PNG, with up to `processes` gnuplots at once. Skips figures
 * that already have a reason why they cannot be drawn, and sets the reason of each figure that fails.
 * Before each figure, progress (may be NULL) is asked whether to stop (STATUS_STOPPED). Fails with
 * STATUS_UNAVAILABLE without gnuplot, STATUS_SYSTEM if the disk is full. */
Status figures_draw(const char *folder, Drawing *drawings, int count, int processes,
                    const Progress *progress);

/* Add a name or a number to a list in single quotes, which gnuplot's word() reads. A name is written in
 * double quotes. */
void plot_name_add(PlotFile *program, const char *name);
void plot_number_add(PlotFile *program, double number);

/* Range of the values drawn on an axis. */
typedef struct PlotSpan {
    double lowest, highest; /* the range is empty if lowest > highest */
} PlotSpan;

PlotSpan plot_span_none(void);
void plot_span_add(PlotSpan *span, double value); /* extends the range to a value; ignores NAN */
/* Whether an axis is logarithmic: all values are positive and the largest exceeds 50 times the smallest. */
bool plot_span_is_wide(const PlotSpan *span);

/* Texts and ranges for plots, and drawing by gnuplot, which is found on the PATH. Each figure is first
 * written as a program; all programs are then run together. */
#pragma once

#include "harness/show/figures/page_plots.h"
#include "harness/show/text/report_file.h"
#include "harness/show/text/targets.h"

/* Writes gnuplot's version to text [size]; fails with STATUS_UNAVAILABLE if it is not on the PATH. */
Status gnuplot_probe(char *text, size_t size);
/* Whether a gnuplot that draws figures can start no other program: it is tried. */
bool gnuplot_is_confined(void);

/* plot-NUMBER.tsv, plot-NUMBER-rings.tsv and plot-NUMBER.gp in the report's folder */
typedef enum FigurePart { FIGURE_DATA, FIGURE_RINGS, FIGURE_PROGRAM, FIGURE_PARTS } FigurePart;

/* A figure that is being written. Release with figure_clear. */
typedef struct PlotFigure {
    const char *folder, *name; /* name: of its pictures, NAME.svg, and of its plot on the page */
    int number;
    PagePlots *plots; /* where it is put for the page's script, too */
    PlotFile parts[FIGURE_PARTS];
    bool drawn; /* there is something to draw: its program is written */
} PlotFigure;

void figure_clear(PlotFigure *figure);
void figure_part_name(int number, FigurePart part, char name[FIGURE_NAME_BYTES]);

/* Opens a part, which `out` borrows, and closes it. */
Status figure_part_open(PlotFigure *figure, FigurePart part, PlotFile **out);
Status figure_part_close(PlotFigure *figure, FigurePart part);

/* Starts the program, which has the variables `heading`, `data`, `face` and `output_name`. After the
 * statements that its script needs, the end appends scripts/plots/<script>.gp, which loads common.gp from
 * beside it. */
Status figure_program_start(PlotFigure *figure, const char *heading, PlotFile **program);
Status figure_program_end(PlotFigure *figure, const char *script);

/* Whether gnuplot can draw all numbers of the figure. */
bool figure_is_drawable(const PlotFigure *figure);

enum { FIGURE_PROCESSES_MAX = 16, FIGURE_REASON_BYTES = 512 };

/* A figure to be drawn. */
typedef struct Drawing {
    char name[FIGURE_NAME_BYTES];
    int number;
    char reason[FIGURE_REASON_BYTES]; /* why it cannot be drawn; "": it can, so far */
} Drawing;

/* Draws the figures [count] that have no reason against it as svg, pdf and png: a gnuplot for each,
 * `processes` of them at a time; one that fails gets its reason. progress, which may be NULL, is asked before
 * each whether to stop (STATUS_STOPPED). STATUS_UNAVAILABLE without gnuplot, STATUS_SYSTEM when the disk is
 * full. */
Status figures_draw(const char *folder, Drawing *drawings, int count, int processes,
                    const Progress *progress);

/* Write words between single quotes of a program, for gnuplot's word(): a name in double quotes; a number. */
void plot_name_add(PlotFile *program, const char *name);
void plot_number_add(PlotFile *program, double number);

/* The range of values drawn on an axis. */
typedef struct PlotSpan {
    double lowest, highest; /* lowest > highest if empty */
} PlotSpan;

PlotSpan plot_span_none(void);
void plot_span_add(PlotSpan *span, double value); /* NAN is ignored */
/* Whether an axis is logarithmic: all values are positive and the largest exceeds 50 times the smallest. */
bool plot_span_is_wide(const PlotSpan *span);

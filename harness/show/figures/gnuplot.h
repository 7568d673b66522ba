/* Words and spans that plots are made of, and drawing by gnuplot, which is found on the PATH: a program for
 * each figure, then all figures at once. */
#pragma once

#include "harness/show/text/report_file.h"

/* Text for gnuplot's enhanced mode inside single quotes or a data file. */
void figure_text(const char *text, char *out, size_t size);

/* gnuplot's version in text [size]; STATUS_UNAVAILABLE when it is not on the PATH. */
Status gnuplot_probe(char *text, size_t size);

/* Writes folder/name.gp, which draws folder/name.tsv as svg, pdf and png and runs by hand too: the variables
 * `heading`, `data`, `face` and `output_name`, what the format `more` makes (gnuplot statements in one line),
 * and scripts/plots/<script>.gp, which loads common.gp from beside it. *drawn: it is there for
 * figures_draw. */
Status figure_prepare(const char *script, const char *folder, const char *name, const char *heading,
                      bool *drawn, const char *more, ...) __attribute__((format(printf, 6, 7)));

enum { FIGURE_PROCESSES_MAX = 16 };

/* Draws the figures [count] whose programs are in the folder: a gnuplot for each, `processes` of them at a
 * time. progress, which may be NULL, is asked before each whether to stop (STATUS_STOPPED).
 * STATUS_UNAVAILABLE without gnuplot, STATUS_SYSTEM with the figure's name and what gnuplot printed when one
 * fails. */
Status figures_draw(const char *folder, char (*names)[FIGURE_NAME_BYTES], int count, int processes,
                    const Progress *progress);

enum { PLOT_NAMES_BYTES = 4096 };

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

/* Texts and ranges for plots, and drawing by gnuplot, which is found on the PATH. Each figure is first
 * written as a program; all programs are then run together. */
#pragma once

#include "harness/show/text/report_file.h"

/* Escapes text for gnuplot's enhanced mode, within single quotes or in a data file. */
void figure_text(const char *text, char *out, size_t size);

/* Writes gnuplot's version to text [size]; fails with STATUS_UNAVAILABLE if it is not on the PATH. */
Status gnuplot_probe(char *text, size_t size);

/* Writes folder/name.gp, which draws folder/name.tsv as svg, pdf and png and can also be run by hand. It
 * sets `heading`, `data`, `face` and `output_name`, adds the result of the format `more` (gnuplot
 * statements on one line), and includes scripts/plots/<script>.gp and its common.gp. *drawn: whether it was
 * written, for figures_draw. */
Status figure_prepare(const char *script, const char *folder, const char *name, const char *heading,
                      bool *drawn, const char *more, ...) __attribute__((format(printf, 6, 7)));

enum { FIGURE_PROCESSES_MAX = 16 };

/* Runs the programs of figures [count] in the folder, each in its own gnuplot, `processes` at once.
 * progress (may be NULL) is asked before each whether to stop (STATUS_STOPPED). Fails with
 * STATUS_UNAVAILABLE without gnuplot, or with STATUS_SYSTEM, the figure's name and gnuplot's output if one
 * fails. */
Status figures_draw(const char *folder, char (*names)[FIGURE_NAME_BYTES], int count, int processes,
                    const Progress *progress);

enum { PLOT_NAMES_BYTES = 4096 };

/* Appends a quoted name or a number to a text [PLOT_NAMES_BYTES] for gnuplot's word(). */
void plot_name_add(char *words, const char *name);
void plot_number_add(char *words, double number);

/* The range of values drawn on an axis. */
typedef struct PlotSpan {
    double lowest, highest; /* lowest > highest if empty */
} PlotSpan;

PlotSpan plot_span_none(void);
void plot_span_add(PlotSpan *span, double value); /* NAN is ignored */
/* Whether an axis is logarithmic: all values are positive and the largest exceeds 50 times the smallest. */
bool plot_span_is_wide(const PlotSpan *span);

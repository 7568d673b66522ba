/* What the files of a report and its figures are made with: names, texts for gnuplot, and the drawing. */
#pragma once

#include "datasets/base/progress.h"
#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { FIGURE_NAME_BYTES = 96 };

/* A name for files from any text: letters, digits and dashes. */
void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES]);

/* Text for gnuplot's enhanced mode inside single quotes or a data file. */
void figure_text(const char *text, char *out, size_t size);

/* Opens folder/name.extension for writing; closes it (NULL: it is not open), and returns `before` unless that is
 * OK and the file could not be written. */
Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file);
Status report_file_close(FILE *file, const char *name, Status before);

/* gnuplot's version in text [size]; STATUS_UNAVAILABLE when it is not on the PATH. */
Status gnuplot_probe(char *text, size_t size);

/* Appends a file of ours, by its path below environment_home. *there: whether it is there; where that is NULL it has to
 * be, else STATUS_MACHINE. */
Status home_file_append(const char *path, FILE *out, bool *there);

/* Writes the program that draws folder/name.tsv as svg, pdf and png, folder/name.gp, which runs by hand too: the
 * variables `heading`, `data`, `face` and `output_name` and those of `more` (gnuplot statements in one line), then
 * scripts/plots/<script>.gp, which loads common.gp from beside it. *drawn: whether it was written, for figures_draw. */
Status figure_prepare(const char *script, const char *folder, const char *name, const char *heading,
                      const char *more, bool *drawn);

enum { FIGURE_PROCESSES_MAX = 16 };

/* Draws the figures [count] whose programs are in the folder: a gnuplot for each, `processes` of them at a time. progress,
 * which may be NULL, is asked before each whether to stop (STATUS_STOPPED). STATUS_UNAVAILABLE without gnuplot,
 * STATUS_MACHINE with the figure's name and what gnuplot printed when one fails. */
Status figures_draw(const char *folder, char (*names)[FIGURE_NAME_BYTES], int count, int processes,
                    const Progress *progress);

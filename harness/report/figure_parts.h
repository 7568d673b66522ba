/* What the files of a report and its figures are made with: names, texts for gnuplot, and the drawing. */
#ifndef SKINBENCH_REPORT_FIGURE_PARTS_H
#define SKINBENCH_REPORT_FIGURE_PARTS_H

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

/* Draws folder/name.tsv as svg, pdf and png, by a program of its own, folder/name.gp, which runs by hand too: the
 * variables `heading`, `data`, `face` and `output_name` and those of `more` (gnuplot statements in one line), then
 * scripts/plots/<script>.gp, which loads common.gp from beside it. *drawn: whether it was. STATUS_UNAVAILABLE without
 * gnuplot, STATUS_MACHINE with what it printed when it fails. */
Status figure_draw(const char *script, const char *folder, const char *name, const char *heading,
                   const char *more, bool *drawn);

#endif

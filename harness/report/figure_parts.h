/* What all figures are made with: their data file, texts for gnuplot, and the drawing. */
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

/* Opens and closes folder/name.tsv for writing. */
Status figure_data_open(const char *folder, const char *name, FILE **file);
Status figure_data_close(FILE *file, const char *name);

/* Draws folder/name.tsv by scripts/plots/<script>.gp, with `home`, `heading`, `data` and the variables of
 * `more` set (gnuplot statements). *drawn: whether it was. STATUS_UNAVAILABLE without gnuplot. */
Status figure_draw(const char *script, const char *folder, const char *name, const char *heading,
                   const char *more, bool *drawn);

#endif

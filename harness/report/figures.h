/* The figures of a report: data written as tab-separated text, drawn by scripts/plots/<figure>.gp. */
#ifndef SKINBENCH_REPORT_FIGURES_H
#define SKINBENCH_REPORT_FIGURES_H

#include "datasets/base/status.h"
#include <jansson.h>
#include <stdbool.h>

enum { FIGURE_NAME_BYTES = 96 };

/* A name for files from any text: letters, digits and dashes. */
void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES]);

/* Bars of ns per vertex of one data set's skinning cells. *drawn: whether there was anything to draw; without
 * gnuplot the data are written and STATUS_UNAVAILABLE is returned. */
Status figure_skinning(const json_t *latest, const json_t *dataset, const char *folder, const char *name,
                       bool *drawn);

/* E_RMS against iterations, for a published table with an `axis`. */
Status figure_iterations(const json_t *published, const json_t *latest, const char *folder, bool *drawn);

/* The curves that a table's `figure` asks for, of all rows in one plot or of one row alone. */
Status figure_curves(const json_t *published, const json_t *row, const json_t *latest, const char *folder,
                     const char *name, bool *drawn);

/* Published and measured E_RMS of a table's rows. */
Status figure_published(const json_t *published, const json_t *latest, const char *folder, bool *drawn);

#endif

/* gnuplot, found at run time on the PATH. */
#ifndef SKINBENCH_REPORT_GNUPLOT_H
#define SKINBENCH_REPORT_GNUPLOT_H

#include "datasets/base/status.h"
#include <stddef.h>

/* Its version in text [size]; STATUS_UNAVAILABLE when it is not there. */
Status gnuplot_probe(char *text, size_t size);

/* A text as it stands between single quotes. */
void gnuplot_quote(const char *text, char *out, size_t size);

/* Runs scripts/plots/<script>.gp in `folder`, with gnuplot variables set first (`settings`, a gnuplot
 * statement such as "data='a.tsv'; title='A'"). Once for each of svg, pdf and png, with `terminal` and
 * `output` set: the figure is folder/<name>.<svg|pdf|png>. STATUS_UNAVAILABLE without gnuplot, STATUS_MACHINE
 * with what it printed when it fails. */
Status gnuplot_plot(const char *script, const char *folder, const char *name, const char *settings);

#endif

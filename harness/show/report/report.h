/* A report of a result file. It is written into a temporary folder that is renamed when complete.
 * index.html is a page for browsers that works offline, records.html lists every record, and report.md has
 * the same tables. Each table is also written as CSV and LaTeX, each figure as SVG, PDF and PNG. report.tex
 * includes all of them in order through \generatedtable{NAME} and \generatedfigure{NAME}{CAPTION}, which
 * the including document defines (paper/skinbench.tex). */
#pragma once

#include "harness/show/report/report_page.h"

/* Writes the report, with separate sections for each machine of the records. An existing `folder` is
 * replaced if it is empty or a report (has report.md); otherwise fails with STATUS_USAGE. Without gnuplot
 * the report lacks only its figures, says so, and STATUS_UNAVAILABLE is returned. `scenes`: sources of the
 * 3D view; NULL: none. */
Status report_write(const RecordStore *store, const char *source, const SceneSources *scenes,
                    const char *folder, const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

/* Creates the folder of any kind of report, by the rules of report_write: `write` fills report->folder,
 * which is then renamed to its final path. */
typedef Status (*ReportPages)(ReportPage *report, const void *context);
Status report_folder_write(const char *folder, const Progress *progress, ReportPages write,
                           const void *context, char left_out[FIGURES_LEFT_OUT_BYTES]);

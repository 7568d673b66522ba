/* A report of a result file: index.html, a page for a browser without a network, and records.html, which has
 * every record; report.md with the same tables, each also as CSV and LaTeX, and figures as SVG, PDF and PNG;
 * report.tex, which has them all in their order (\generatedtable{NAME}, \generatedfigure{NAME}{CAPTION},
 * which the document that includes it defines: paper/skinbench.tex). Written into a temporary folder that is
 * renamed when it is whole. */
#pragma once

#include "harness/show/report/report_page.h"

/* Each machine of the records has sections of its own. A folder at `folder` is replaced if it is a report
 * (holds report.md) or empty, else STATUS_USAGE. Without gnuplot the report is whole but for its figures,
 * says so, and STATUS_UNAVAILABLE is returned. `scenes`: of its 3D view; NULL: none. left_out: the figures
 * that could not be drawn, and why, as report_figures_left_out has them: they are named on the pages, too. */
Status report_write(const RecordStore *store, const char *source, const SceneSources *scenes,
                    const char *folder, const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES]);

/* The folder of any report: `write` fills report->folder, which then takes its name, with the rules of
 * report_write. */
typedef Status (*ReportPages)(ReportPage *report, const void *context);
Status report_folder_write(const char *folder, const Progress *progress, ReportPages write,
                           const void *context, char left_out[FIGURES_LEFT_OUT_BYTES]);

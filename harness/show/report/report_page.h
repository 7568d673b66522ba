/* The pages of a report being written, and the functions by which sections write to them. The same calls
 * write report.md, report.tex and index.html. Content for index.html alone is written to `html`
 * directly. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/figures/figures.h"
#include "harness/show/scenes/scenes.h"
#include "harness/show/text/targets.h"
#include "harness/show/text/text_table.h"

typedef struct ReportPage {
    const char *folder;             /* folder in which the report is written */
    const RecordView *records;      /* records of the machine whose sections are being written */
    const JudgedClaims *claims;     /* claims as judged on `records`; set only while sections are written */
    char suffix[VIEW_SUFFIX_BYTES]; /* text appended to file names, one for each machine: "", "-2", "-3", ...
                                     */
    FILE *files[3];                 /* report.md, report.tex and index.html, in this order */
    MarkdownFile *page;
    LatexFile *document;
    HtmlFile *html;
    PagePlots *plots;         /* plots for the script of index.html */
    bool has_script;          /* whether the script of index.html exists */
    const Progress *progress; /* asked before every figure whether to stop; may be NULL */
    ReportScenes scenes;      /* scenes of all machines, which are written before the first section */
    int figures_missing;
    Status figures; /* why all figures are missing, for example without gnuplot; OK if figures can be drawn */
    Drawing *drawings; /* [drawing_count] figures, which are drawn after the pages are written. The pages are
                          then written again without the figures that could not be drawn. */
    int drawing_count, figure_number;
    bool is_again;
} ReportPage;

/* Open and close report.md, report.tex and index.html in the report's folder. Closing returns `before`, or
 * its own error if `before` is OK. */
Status report_page_open(ReportPage *report);
Status report_page_close(ReportPage *report, Status before);

/* Writes a text to index.html and report.md, as a paragraph. */
void report_paragraph(const ReportPage *report, const char *text);

/* Starts and ends a part of index.html that can be unfolded, with a title and an id to which the machine's
 * suffix is added. In report.md the part has a heading. */
void report_fold_start(const ReportPage *report, const char *id, const char *title);
void report_fold_end(const ReportPage *report);

/* Adds the machine's suffix to a file name. The functions below add the suffix themselves. */
void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES]);

/* Writes a line of links to files of the report, such as "`before`: counts.csv, counts.tex". The list of
 * files ends with NULL. */
void report_links(const ReportPage *report, const char *before, const char *const *files);

/* Writes a table with all digits as NAME.csv, and adds a link to it: "`what` with full digits:
 * NAME.csv". */
Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what);

/* Writes a table to the pages, as LaTeX and, if with_csv, as CSV. */
Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv);

/* Write to index.html only. The first function adds a place for a plot that has no picture. The second
 * function adds a table that can be unfolded, and releases the table. `id` is used without the machine's
 * suffix. */
void report_add_plot(const ReportPage *report, const char *id, const char *caption);
Status report_add_numbers(const ReportPage *report, const char *id, const char *summary, TextTable *table);

/* Starts the next figure of the report. `name` names its pictures and is borrowed. Release the figure with
 * figure_clear. */
PlotFigure report_figure(ReportPage *report, const char *name);
/* Adds a figure that will be drawn, or says why it is missing. Returns an error only if the user
 * interrupts. */
Status report_add_figure(ReportPage *report, Status status, const PlotFigure *figure, const char *caption);
/* Writes a list of the figures that could not be drawn: "2 figures could not be drawn: NAME (why), NAME
 * (why)"; "" if all were drawn. */
enum { FIGURES_LEFT_OUT_BYTES = 2048 };
void report_figures_left_out(const ReportPage *report, char text[FIGURES_LEFT_OUT_BYTES]);

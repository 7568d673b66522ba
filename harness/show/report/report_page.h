/* The pages of a report being written, and the functions by which sections write to them: report.md,
 * report.tex and index.html come from the same calls. Content only for index.html is written to `html`
 * directly. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/figures/figures.h"
#include "harness/show/scenes/scenes.h"
#include "harness/show/text/targets.h"
#include "harness/show/text/text_table.h"

typedef struct ReportPage {
    const char *folder;             /* where it is being written */
    const RecordView *records;      /* of the machine whose sections are being written */
    const JudgedClaims *claims;     /* of these records, while sections are written */
    char suffix[VIEW_SUFFIX_BYTES]; /* of names of files, one for each machine: "", "-2", "-3" */
    FILE *files[3];                 /* report.md, report.tex and index.html, which are written as: */
    MarkdownFile *page;
    LatexFile *document;
    HtmlFile *html;
    PagePlots *plots;         /* of its script */
    bool has_script;          /* whether the script is there */
    const Progress *progress; /* asked before every figure whether to stop; may be NULL */
    ReportScenes scenes;      /* of all machines, written before the first section */
    int figures_missing;
    Status figures;    /* why figures are missing: without gnuplot all are */
    Drawing *drawings; /* [drawing_count] to be drawn once the pages are written; when they are written again,
                          those with a reason are left out */
    int drawing_count, figure_number;
    bool is_again;
} ReportPage;

/* Open and close report.md, report.tex and index.html in the folder. Closing returns `before` unless it
 * fails itself. */
Status report_page_open(ReportPage *report);
Status report_page_close(ReportPage *report, Status before);

/* Writes a text to index.html and report.md, as a paragraph. */
void report_paragraph(const ReportPage *report, const char *text);

/* Write a folded part of index.html with this id (plus the machine's suffix) and title; in report.md, a
 * heading. */
void report_fold_start(const ReportPage *report, const char *id, const char *title);
void report_fold_end(const ReportPage *report);

/* Adds the machine's suffix to a file name. The functions below do this themselves. */
void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES]);

/* Writes a line of links to files of the report, NULL-terminated: "`before`: counts.csv, counts.tex". */
void report_links(const ReportPage *report, const char *before, const char *const *files);

/* Writes a table as CSV with all digits, and a link to it: "`what` with full digits: NAME.csv". */
Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what);

/* Writes a table to the pages, as LaTeX and, if with_csv, as CSV. */
Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv);

/* On index.html only: a place for a plot without a picture; and a folded table with this id (without the
 * machine's suffix). The table is released. */
void report_add_plot(const ReportPage *report, const char *id, const char *caption);
Status report_add_numbers(const ReportPage *report, const char *id, const char *summary, TextTable *table);

/* The next figure of the report, whose pictures have this name; it is borrowed. For figure_clear. */
PlotFigure report_figure(ReportPage *report, const char *name);
/* Adds a figure that will be drawn, or says why it is missing. Only an interrupt stops the report. */
Status report_add_figure(ReportPage *report, Status status, const PlotFigure *figure, const char *caption);
/* "2 figures could not be drawn: NAME (why), NAME (why)"; "" if all could. */
enum { FIGURES_LEFT_OUT_BYTES = 2048 };
void report_figures_left_out(const ReportPage *report, char text[FIGURES_LEFT_OUT_BYTES]);

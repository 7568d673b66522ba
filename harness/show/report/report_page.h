/* The pages of a report being written, and the functions by which sections write to them: report.md,
 * report.tex and index.html come from the same calls. Content only for index.html is written to `html`
 * directly. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/figures/figures.h"
#include "harness/show/scenes/scenes.h"
#include "harness/show/text/text_table.h"

typedef struct ReportPage {
    const char *folder;        /* the folder being written */
    const RecordView *records; /* records of the current machine */
    const JudgedClaims
        *claims; /* verdicts on the papers' claims by these records, set while sections are written */
    char suffix[VIEW_SUFFIX_BYTES]; /* suffix of file names, one for each machine: "", "-2", "-3" */
    FILE *page;                     /* report.md */
    FILE *document;                 /* report.tex */
    FILE *html;                     /* index.html */
    PagePlots *plots;               /* for the script of index.html */
    bool has_script;                /* whether the script exists */
    const Progress *progress;       /* asked before every figure whether to stop; may be NULL */
    ReportScenes scenes;            /* for all machines, written before the first section */
    int figures_missing;
    Status figures;                          /* why figures are missing; without gnuplot all are */
    char (*figure_names)[FIGURE_NAME_BYTES]; /* [figure_count] figures to draw after the pages are written */
    int figure_count;
} ReportPage;

/* Open and close report.md, report.tex and index.html in the folder. Closing returns `before` unless it
 * fails itself. */
Status report_page_open(ReportPage *report);
Status report_page_close(ReportPage *report, Status before);

/* Write external text to report.md, escaped on one line; report_heading writes it as a heading after
 * `mark`. */
void report_text(const ReportPage *report, const char *text);
void report_heading(const ReportPage *report, const char *mark, const char *text);

/* Writes the program's own text to index.html and, as a paragraph, to report.md. */
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

/* Adds a figure that will be drawn to this file, or says why it is missing. Only an interrupt stops the
 * report. */
Status report_add_figure(ReportPage *report, Status status, bool drawn, const char *file,
                         const char *caption);

/* The pages of a report that is being written, and what a section puts on them: report.md, report.tex and
 * index.html come from the same calls. What is for a reader of index.html alone is written to `html`
 * directly. */
#pragma once

#include "harness/records/papers/judged_claims.h"
#include "harness/show/figures/figures.h"
#include "harness/show/scenes/scenes.h"
#include "harness/show/text/text_table.h"

typedef struct ReportPage {
    const char *folder;             /* where it is being written */
    const RecordView *records;      /* of the machine whose sections are being written */
    const JudgedClaims *claims;     /* of these records, while sections are written */
    char suffix[VIEW_SUFFIX_BYTES]; /* of names of files, one for each machine: "", "-2", "-3" */
    FILE *page;                     /* report.md */
    FILE *document;                 /* report.tex */
    FILE *html;                     /* index.html */
    PagePlots *plots;               /* of its script */
    bool has_script;                /* whether the script is there */
    const Progress *progress;       /* asked before every figure whether to stop; may be NULL */
    ReportScenes scenes;            /* of all machines, written before the first section */
    int figures_missing;
    Status figures;                          /* why figures are missing: without gnuplot all are */
    char (*figure_names)[FIGURE_NAME_BYTES]; /* [figure_count] to be drawn once the pages are written */
    int figure_count;
} ReportPage;

/* Opens and closes report.md, report.tex and index.html in the folder. `before` is returned unless closing
 * fails. */
Status report_page_open(ReportPage *report);
Status report_page_close(ReportPage *report, Status before);

/* A text from outside on report.md, in one line and escaped; and as a heading behind `mark`. */
void report_text(const ReportPage *report, const char *text);
void report_heading(const ReportPage *report, const char *mark, const char *text);

/* A text of ours on index.html and, as a paragraph, on report.md. */
void report_paragraph(const ReportPage *report, const char *text);

/* A part of index.html that unfolds, of this id (with the machine's suffix) and summary; on report.md a
 * heading. */
void report_fold_start(const ReportPage *report, const char *id, const char *title);
void report_fold_end(const ReportPage *report);

/* The name of a file of the report: with the machine's suffix, which the functions below add themselves. */
void report_file_name(const ReportPage *report, const char *name, char out[FIGURE_NAME_BYTES]);

/* A line of links to files of the report, NULL-terminated: "`before`: counts.csv, counts.tex". */
void report_links(const ReportPage *report, const char *before, const char *const *files);

/* A table as CSV with all its digits, and a link to it: "`what` with full digits: NAME.csv". */
Status report_add_csv(const ReportPage *report, const TextTable *table, const char *name, const char *what);

/* A table on the pages, and as LaTeX; as CSV too where there is no long form of it. */
Status report_add_table(const ReportPage *report, const TextTable *table, const char *name, bool with_csv);

/* On index.html alone: the place of a plot that has no picture; and a table that unfolds, of this id (without
 * the machine's suffix), which is released. */
void report_add_plot(const ReportPage *report, const char *id, const char *caption);
Status report_add_numbers(const ReportPage *report, const char *id, const char *summary, TextTable *table);

/* A figure that is to be drawn to this file, or why it cannot be: missing figures do not stop a report, only
 * an interrupt does. */
Status report_add_figure(ReportPage *report, Status status, bool drawn, const char *file,
                         const char *caption);

/* The parts of a report's pages, in files of their own. */
#pragma once

#include "harness/show/report/report_page.h"
#include "harness/show/text/html_table.h"

/* The start of a page of the report: title, style and, if with_script, what the script needs. */
void html_page_start(HtmlFile *html, const char *title, bool with_script);
void html_page_end(HtmlFile *html);

/* Makes the folder page/ of the report with what is there of its style and script, and starts index.html,
 * to where its first paragraph says what it is about; sets `has_script`. `source` names the result file, from
 * outside. index_main ends the paragraph and says what the page lacks. */
Status index_start(ReportPage *report, const char *source, const char *stamp);
void index_main(const ReportPage *report);
void index_end(const ReportPage *report);

/* The sections that the records of the page have anything for, in their order: a row each in sections.c. */
Status sections_write(ReportPage *report);

/* The first screen of index.html, which methods win: direct ones by shape, artefacts and time over LBS;
 * decompositions by error, size and time, and what of them nothing else beats. */
Status direct_leaders_write(ReportPage *report);
Status fit_leaders_write(ReportPage *report);

/* The environments of the runs of the page's machine, once each. */
Status machine_write(ReportPage *report);

/* What of the papers' tables could not be measured: of the cells of tables that have records in the view. */
typedef struct MissingCells {
    int cells;                        /* all but empty ones */
    int counts[TABLE_CELL_EMPTY + 1]; /* by state */
    TextTable *table;                 /* a row for each table that lacks some: its counts by reason */
} MissingCells;

/* Release with missing_clear, on failure too. */
Status missing_count(const RecordView *records, MissingCells *out);
void missing_clear(MissingCells *missing);

/* Of the cells that several machines measured: times and ratios, a column for each machine, and whether what
 * is exact agrees (quantity.h). Writes nothing where there is one machine. */
Status machine_comparison_write(ReportPage *report, const RecordView *views, int count);

/* page/data.js, what the script of index.html draws, as window.skinbench (schema 1): plots, scenes, and the
 * machines of the views [count]. ASCII; no text in it can end a <script> or start another. */
Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp);

/* records.html: each record of the views as <article id="r-NAME"> (record_name) with the command that repeats
 * it, its JSON folded. */
Status records_page_write(const ReportPage *report, const RecordView *views, int count);

/* The parts of a report's pages, each in its own file. */
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

/* Writes the sections for which the page's records have content, in the order of the table in
 * sections.c. */
Status sections_write(ReportPage *report);

/* The first screen of index.html shows the winning methods: direct ones by shape, artefacts and time over
 * LBS; decompositions by error, size and time, with the Pareto fronts. */
Status direct_leaders_write(ReportPage *report);
Status fit_leaders_write(ReportPage *report);

/* Writes the environments of the runs of the page's machine, once each. */
Status machine_write(ReportPage *report);

/* Cells of the papers' tables that could not be measured; only tables with records in the view are
 * counted. */
typedef struct MissingCells {
    int cells;                        /* all non-empty cells */
    int counts[TABLE_CELL_EMPTY + 1]; /* by state */
    TextTable *table;                 /* a row for each table with missing cells: their counts by reason */
} MissingCells;

/* Release with missing_clear, also after a failure. */
Status missing_count(const RecordView *records, MissingCells *out);
void missing_clear(MissingCells *missing);

/* Compares cells measured by several machines: times and ratios in a column for each machine, and whether
 * exact numbers agree (quantity.h). Writes nothing for a single machine. */
Status machine_comparison_write(ReportPage *report, const RecordView *views, int count);

/* Writes page/data.js, which the script of index.html draws, as window.skinbench (schema 1): plots, scenes,
 * and the machines of the views [count]. It is ASCII, and no text in it can end a <script> or start
 * another. */
Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp);

/* Writes records.html: each record of the views as <article id="r-NAME"> (record_name) with the command
 * that repeats it and its folded JSON. */
Status records_page_write(const ReportPage *report, const RecordView *views, int count);

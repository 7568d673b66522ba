/* The parts of a report's pages, each in its own file. */
#pragma once

#include "harness/show/report/report_page.h"
#include "harness/show/text/html_table.h"

/* Writes the start of a page: title, style and, if with_script is set, what the script needs. */
void html_page_start(HtmlFile *html, const char *title, bool with_script);
void html_page_end(HtmlFile *html);

/* Creates the folder page/ with the available style and script, and starts index.html up to the first
 * paragraph, which says what the report is about. Sets `has_script`. source: name of the result file, from
 * outside the program. index_main ends the paragraph and lists what the page lacks. */
Status index_start(ReportPage *report, const char *source, const char *stamp);
void index_main(const ReportPage *report);
void index_end(const ReportPage *report);

/* Writes the sections in the order of the table in sections.c. Sections for which the records have no
 * content are left out. */
Status sections_write(ReportPage *report);

/* Writes how many claims of the papers hold, do not hold, and are open, with a bar. Nothing if no claims were
 * judged. */
void report_verdicts_bar(const ReportPage *report);

/* Write the rankings on the first screen of index.html. direct_leaders_write ranks direct methods by the loss
 * of shape that the study shape-loss measures, and shows their times and artefacts. fit_leaders_write ranks
 * decompositions by error among models of one kind, shows their sizes and times, and adds the Pareto
 * fronts. */
Status direct_leaders_write(ReportPage *report);
Status fit_leaders_write(ReportPage *report);

/* Writes each environment in which the page's machine ran, once. */
Status machine_write(ReportPage *report);

/* Cells of the papers' tables that could not be measured. Only tables for which this machine has records
 * count. */
typedef struct MissingCells {
    int cells;                        /* number of all non-empty cells */
    int counts[TABLE_CELL_EMPTY + 1]; /* by state */
    TextTable *table; /* a row for each table with missing cells, with the number of cells for each reason */
} MissingCells;

/* Counts the missing cells. Release *out with missing_clear, also after a failure. */
Status missing_count(const RecordView *records, MissingCells *out);
void missing_clear(MissingCells *missing);

/* Compares cells that several machines measured. Each machine has a column of times and ratios. Another
 * table says whether exact numbers agree (record_numbers.h). Writes nothing if there is only one machine. */
Status machine_comparison_write(ReportPage *report, const RecordView *views, int count);

/* Returns the terms that the page explains: {"TERM": ["title", "sentence"], ...}, methods in the order of the
 * registry first. The caller owns the object. */
json_t *glossary_json(void);

/* Writes JSON as the script NAME.js, which sets window.VARIABLE. The file is ASCII, and no text in it can end
 * a <script> or start another. */
Status page_script_write(const ReportPage *report, const char *name, const char *variable,
                         const json_t *data);

/* Writes page/data.js for the script of index.html. It sets window.skinbench (schema 1) to the plots, the
 * scenes, and the machines of the views [count]. */
Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp);

/* Writes records.html. Each record of the views is an <article id="r-NAME"> (record_name) with the command
 * that repeats it and its folded JSON. Also writes page/cards.js, which sets window.skinbenchCards to the
 * same articles by NAME, without the JSON. They are the cards that index.html shows when a number is
 * clicked. */
Status records_page_write(const ReportPage *report, const RecordView *views, int count);

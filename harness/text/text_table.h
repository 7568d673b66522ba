/* A table of texts, and its faces: aligned Markdown (which is also what a terminal shows), CSV and LaTeX. */
#ifndef SKINBENCH_TEXT_TEXT_TABLE_H
#define SKINBENCH_TEXT_TEXT_TABLE_H

#include "datasets/base/status.h"
#include <stdio.h>

enum { TABLE_COLUMNS_MAX = 48 };

typedef enum TableFormat { TABLE_MARKDOWN, TABLE_CSV, TABLE_LATEX } TableFormat;

/* STATUS_USAGE for a name other than markdown, csv and latex. */
Status table_format_find(const char *name, TableFormat *format);

typedef struct TextTable TextTable;

/* columns: titles closed by NULL. A title that begins with '<' (not shown) is a column of words, aligned
 * left; the others are numbers, aligned right. NULL: memory is out, which all functions but text_table_write
 * take. Release with text_table_free. */
TextTable *text_table_create(const char *title, const char *const *columns);
void text_table_free(TextTable *table);

/* Texts may come from outside: what text_escape (datasets/base/text.h) escapes is escaped on the way in, and what
 * means something to a format, a formula in CSV included, when it is written.
 *
 * Starts a row; cells are appended from the left, those left out are empty. Memory that is out is kept
 * for text_table_status, so that rows can be written without a check at every cell. */
void text_table_row(TextTable *table);
void text_table_cell(TextTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A cell for each text, closed by NULL. */
void text_table_words(TextTable *table, ...) __attribute__((sentinel));
/* A number with `digits` significant digits, "-" for NAN. */
void text_table_number(TextTable *table, double value, int digits);

/* A number in the fewest digits that read back as the same double, empty for NAN. */
void text_table_exact(TextTable *table, double value);

Status text_table_status(const TextTable *table);
int text_table_row_count(const TextTable *table);

/* The fewest digits that read back as the same double, "" for NAN. */
enum { NUMBER_EXACT_BYTES = 40 };
void number_exact(double value, char text[NUMBER_EXACT_BYTES]);

/* Writes a cell of CSV: in quotes where it needs them, and what a spreadsheet would run as a formula behind a '. */
void csv_text_write(const char *text, FILE *file);

/* Write a text of one line with the characters that mean something to LaTeX or Markdown escaped. */
void latex_text_write(const char *text, FILE *file);
void markdown_text_write(const char *text, FILE *file);

/* Writes the table. Markdown and LaTeX carry the title. */
void text_table_write(const TextTable *table, TableFormat format, FILE *file);

#endif

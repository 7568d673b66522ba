/* A table of texts, and its faces: aligned Markdown (which is also what a terminal shows), CSV and LaTeX;
 * html_table.h has HTML. */
#pragma once

#include "datasets/base/base.h"

enum { TABLE_COLUMNS_MAX = 48 };

typedef enum TableFormat { TABLE_MARKDOWN, TABLE_CSV, TABLE_LATEX } TableFormat;

/* STATUS_USAGE for a name other than markdown, csv and latex. */
Status table_format_find(const char *name, TableFormat *format);

typedef struct TextTable TextTable;

/* columns: titles with '|' between them. One that begins with '<' (not shown) is a column of words, aligned
 * left, one with '?' a column of few words, by which a page chooses rows; others are numbers, aligned right.
 * NULL: out of memory, which all functions but text_table_write accept. Release with text_table_free. */
TextTable *text_table_create(const char *title, const char *columns);
/* One more column, by its title, before the first row. */
void text_table_column_add(TextTable *table, const char *title);
void text_table_free(TextTable *table);
DEFINE_OWNED_BY(TextTable, text_table_free)

/* Texts may come from outside: text_escape escapes them on the way in, and each format its own characters
 * when it is written (targets.h). Running out of memory is kept for text_table_status, so that rows need no
 * check at every cell. */

/* Starts a row with a cell for each text, NULL-terminated. Further cells are appended from the left, those
 * left out are empty. */
void text_table_row(TextTable *table, ...) __attribute__((sentinel));
void text_table_cell(TextTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_words(TextTable *table, ...) __attribute__((sentinel));
/* A number with `digits` significant digits, "-" for NAN. */
void text_table_number(TextTable *table, double value, int digits);

/* A number in the fewest digits that read back as the same double, empty for NAN. */
void text_table_exact(TextTable *table, double value);

/* What HTML knows of the cell that was written last, and the other faces do not show: its number (NAN: none),
 * and the name of the record that it comes from (record_name in record_store.h; "": none; NULL: memory ran
 * out when it was made). Numbers that text_table_number and text_table_exact write are known already. */
void text_table_value(TextTable *table, double value, const char *record);

/* Classes of the last cell in HTML, a constant: "verdict confirmed". */
void text_table_mark(TextTable *table, const char *classes);

/* Says that the last cell stands for a number that is not there. state: why, in a word or two, a constant,
 * with which the cell's text ends. HTML counts such cells by their state instead of writing it everywhere. */
void text_table_absent(TextTable *table, const char *state);

Status text_table_status(const TextTable *table);

/* Removes columns of numbers in which every row has "-". */
void text_table_drop_empty(TextTable *table);
int text_table_row_count(const TextTable *table);

/* ---- as it is read by a face ---- */

enum { CELL_RECORD_BYTES = 32 };

typedef struct TextCell {
    char *text;         /* escaped */
    double value;       /* NAN: none */
    const char *mark;   /* NULL: none */
    const char *absent; /* why its number is not there; NULL: it is, or there is none */
    char record[CELL_RECORD_BYTES];
} TextCell;

typedef enum TextColumnKind { TEXT_COLUMN_NUMBERS, TEXT_COLUMN_WORDS, TEXT_COLUMN_CHOICE } TextColumnKind;

typedef struct TextRow {
    TextCell *cells; /* [cell_count] of [column_count] */
    int cell_count;
} TextRow;

struct TextTable {
    char *title;
    char *columns[TABLE_COLUMNS_MAX]; /* without the mark */
    TextColumnKind kinds[TABLE_COLUMNS_MAX];
    int column_count;
    TextRow *rows; /* [row_count] */
    int row_count;
    bool out_of_memory;
};

/* Borrowed; an empty one where the row has none in this column. */
const TextCell *text_table_at(const TextTable *table, int row, int column);

/* What the marks in a table's cells mean, in sentences; "": there are none. */
const char *text_table_legend(const TextTable *table);

/* The fewest digits that read back as the same double, "" for NAN. */
enum { NUMBER_EXACT_BYTES = 40 };
void number_exact(double value, char text[NUMBER_EXACT_BYTES]);

/* Writes the table, its texts as targets.h has them. Markdown and LaTeX carry the title. */
void text_table_write(const TextTable *table, TableFormat format, FILE *file);

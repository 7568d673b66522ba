/* A table of texts that can be written as aligned Markdown (also for terminals), CSV or LaTeX; html_table.h
 * adds HTML. */
#pragma once

#include "datasets/base/base.h"

enum { TABLE_COLUMNS_MAX = 64 };

typedef enum TableFormat { TABLE_MARKDOWN, TABLE_CSV, TABLE_LATEX } TableFormat;

typedef struct TextTable TextTable;

/* Creates a table. columns: titles separated by '|'. A '<' before a title makes a left-aligned column of
 * words, a '?' one of few different words by which a page can filter rows; neither mark is shown. Other
 * columns hold numbers, aligned right. Returns NULL if memory runs out; all functions except
 * text_table_write accept NULL. Release with text_table_free. */
TextTable *text_table_create(const char *title, const char *columns);
/* Adds a column with this title. Must be called before the first row is added. */
void text_table_column_add(TextTable *table, const char *title);
void text_table_free(TextTable *table);
DEFINE_OWNED_BY(TextTable, text_table_free)

/* Cell text may be untrusted: text_escape escapes it when it is added, and each format escapes its own
 * special characters when it is written (CSV also formulas). text_table_status reports whether memory ran
 * out, so the caller need not check after each cell. */

/* Starts a row with one cell for each text of the NULL-terminated list. More cells can be appended; missing
 * cells are empty. */
void text_table_row(TextTable *table, ...) __attribute__((sentinel));
void text_table_cell(TextTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_words(TextTable *table, ...) __attribute__((sentinel));
/* Appends a number with `digits` significant digits, "-" for NAN. */
void text_table_number(TextTable *table, double value, int digits);

/* Appends a number with the fewest digits that read back as the same double; empty for NAN. */
void text_table_exact(TextTable *table, double value);

/* Sets two facts about the last cell that only HTML shows: its number (NAN if none), and the name of its
 * record (see record_name in record_store.h). The name is "" if there is no record, and NULL if memory ran
 * out. text_table_number and text_table_exact set the number themselves. */
void text_table_value(TextTable *table, double value, const char *record);

/* Sets the HTML classes of the last cell, such as "verdict confirmed". The text must be a constant. */
void text_table_mark(TextTable *table, const char *classes);

/* Makes HTML link the last cell to the element with this id on the same page: a number without a record links
 * to the numbers from which it is computed. The id must be a constant. */
void text_table_link(TextTable *table, const char *id);

/* Marks the last cell as a missing number. state: the reason in a word or two, a constant that ends the
 * cell's text. HTML counts missing numbers by state instead of repeating the reason. */
void text_table_absent(TextTable *table, const char *state);

/* Marks the table as incomplete because memory ran out elsewhere. */
void text_table_fail(TextTable *table);
Status text_table_status(const TextTable *table);

/* Removes all columns but those with these titles; the list ends with NULL. */
void text_table_keep(TextTable *table, const char *const *titles);

/* Removes number columns that have "-" in every row. */
void text_table_drop_empty(TextTable *table);
int text_table_row_count(const TextTable *table);

/* ---- for writers of formats ---- */

enum { CELL_RECORD_BYTES = 32 };

typedef struct TextCell {
    char *text;         /* escaped */
    double value;       /* NAN: none */
    const char *mark;   /* NULL: none */
    const char *link;   /* id of the element to which the cell links if it has no record; NULL: none */
    const char *absent; /* why the cell's number is missing; NULL if it is not missing, or if the cell is not
                           a number */
    char record[CELL_RECORD_BYTES];
} TextCell;

typedef enum TextColumnKind { TEXT_COLUMN_NUMBERS, TEXT_COLUMN_WORDS, TEXT_COLUMN_CHOICE } TextColumnKind;

typedef struct TextRow {
    TextCell *cells; /* [cell_count] cells, at most column_count */
    int cell_count;
} TextRow;

struct TextTable {
    char *title;
    char *columns[TABLE_COLUMNS_MAX]; /* titles without '<' or '?' */
    TextColumnKind kinds[TABLE_COLUMNS_MAX];
    int column_count;
    TextRow *rows; /* [row_count] */
    int row_count;
    bool out_of_memory;
};

/* Returns a cell, borrowed. If the row has no cell in this column, returns an empty cell. */
const TextCell *text_table_at(const TextTable *table, int row, int column);

/* Returns sentences that explain the marks in a table's cells; "" if there are none. */
const char *text_table_legend(const TextTable *table);

/* Formats a number with the fewest digits that read back as the same double; "" for NAN. */
enum { NUMBER_EXACT_BYTES = 40 };
void number_exact(double value, char text[NUMBER_EXACT_BYTES]);

/* Writes the table with its texts escaped for the format (targets.h). Markdown and LaTeX include the
 * title. */
void text_table_write(const TextTable *table, TableFormat format, FILE *file);

/* Prints a table as Markdown to stdout, with an empty line after it, unless it has no rows. Then frees the
 * table. */
Status text_table_show(TextTable *taken);

/* Tables as HTML, from the same TextTable as every other format, and text for HTML pages. */
#pragma once

#include "harness/show/text/text_table.h"

/* Writes a single line of text as content or as a quoted attribute. HTML's special characters become
 * entities, and control characters are escaped by text_escape. */
void html_text_write(const char *text, FILE *file);
/* Like fprintf with %s and %d only; every %s is written by html_text_write. */
void html_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes a text of any length that is already escaped, or ASCII without control characters, with
 * entities. */
void html_escaped_write(const char *text, FILE *file);

/* Writes the table as <table class="data" id="ID">, with its title as caption and its legend below; `id`
 * needs no escapes. A cell is <td data-value="NUMBER" data-record="RECORD"> with a link to its record.
 * Missing numbers are dashes. Their counts by state, and rows without any number, are folded below. */
void html_table_write(const TextTable *table, const char *id, FILE *file);

/* Counts the missing numbers with this reason; NULL: with any reason. */
int text_table_absent_count(const TextTable *table, const char *state);

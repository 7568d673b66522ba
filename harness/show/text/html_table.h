/* Tables as HTML, from the same TextTable as every other face, and texts of a page. */
#pragma once

#include "harness/show/text/text_table.h"

/* Writes a text of one line, as content or as a quoted attribute: what means something to HTML is written as
 * entities, and what a terminal would act on is escaped as everywhere (text_escape). */
void html_text_write(const char *text, FILE *file);
/* As fprintf, with conversions %s and %d alone, and every %s written so. */
void html_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a text of any length that is escaped already, or ASCII without control characters. */
void html_escaped_write(const char *text, FILE *file);

/* Writes the table as <table class="data" id="ID">, with its title as caption and its legend below; `id` is
 * plain. A cell is <td data-value="NUMBER" data-record="RECORD"> with a link to its record. A number that is
 * absent is a dash; how many there are, by state, and rows without any number stand folded below. */
void html_table_write(const TextTable *table, const char *id, FILE *file);

/* How many cells stand for a number that is not there: for this reason; NULL: for any. */
int text_table_absent_count(const TextTable *table, const char *state);

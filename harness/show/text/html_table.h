/* Tables as HTML, from the same TextTable as every other format, and text for HTML pages. */
#pragma once

#include "harness/show/text/targets.h"
#include "harness/show/text/text_table.h"

/* Writes the table as <table class="data" id="ID">, with its title as caption and its legend below. A cell is
 * <td data-value="NUMBER" data-record="RECORD"> with a link to its record. A number that is absent is a dash;
 * how many there are, by state, and rows without any number stand folded below. */
void html_table_write(const TextTable *table, const char *id, HtmlFile *file);

/* Counts the missing numbers with this reason; NULL: with any reason. */
int text_table_absent_count(const TextTable *table, const char *state);

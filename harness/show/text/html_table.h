/* Writes text and tables for HTML pages. Tables come from the same TextTable as every other format. */
#pragma once

#include "harness/show/text/targets.h"
#include "harness/show/text/text_table.h"

/* Writes the table as <table class="data" id="ID">, with its title as caption and its legend below. A cell
 * is <td data-value="NUMBER" data-record="RECORD"> with a link to its record. A missing number is a dash.
 * Rows without any number, and the counts of missing numbers by state, can be unfolded below the table. */
void html_table_write(const TextTable *table, const char *id, HtmlFile *file);

/* Returns the number of missing numbers with this state, or with any state if it is NULL. */
int text_table_absent_count(const TextTable *table, const char *state);

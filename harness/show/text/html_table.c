/* Writes tables as HTML. They are complete without a script, and a script can sort and filter them. */
#include "harness/show/text/html_table.h"

/* Whether a row has only missing numbers. */
static bool row_is_absent(const TextTable *table, int row)
{
    bool absent = false;
    for (int c = 0; c < table->column_count; c++) {
        const TextCell *cell = text_table_at(table, row, c);
        absent = absent || cell->absent;
        if (cell->record[0] && !cell->absent)
            return false;
    }
    return absent;
}

/* Writes either the rows that have numbers or, with `absent`, the rows that have none. Returns the number
 * of these rows. With file NULL, only counts them. */
static int body_write(const TextTable *table, bool absent, HtmlFile *file)
{
    int count = 0;
    for (int r = 0; r < text_table_row_count(table); r++) {
        if (row_is_absent(table, r) != absent)
            continue;
        count++;
        if (!file)
            continue;
        html_print(file, "<tr>");
        for (int c = 0; c < table->column_count; c++) {
            const TextCell *cell = text_table_at(table, r, c);
            const bool is_number = table->kinds[c] == TEXT_COLUMN_NUMBERS;
            char number[NUMBER_EXACT_BYTES];
            html_print(file, "<td");
            if (is_number)
                html_print(file, " class=\"number%s\"", cell->absent ? " absent" : "");
            if (!isnan(cell->value) && !isinf(cell->value)) {
                number_exact(cell->value, number);
                html_print(file, " data-value=\"%s\"", number);
            }
            if (cell->absent)
                html_print(file, " title=\"%s\"", cell->absent);
            if (cell->record[0])
                html_print(file, " data-record=\"%s\"", cell->record);
            html_print(file, ">");
            if (cell->record[0])
                html_print(file, "<a href=\"records.html#r-%s\">", cell->record);
            else if (cell->link)
                html_print(file, "<a href=\"#%s\">", cell->link);
            if (cell->mark)
                html_print(file, "<span class=\"%s\">", cell->mark);
            const size_t all = strlen(cell->text), state = cell->absent ? strlen(cell->absent) : 0;
            if (cell->absent && state <= all)
                html_print(file, "%.*s–", (int)(all - state), cell->text);
            else
                html_print(file, "%s", cell->text);
            if (cell->mark)
                html_print(file, "</span>");
            if (cell->record[0] || cell->link)
                html_print(file, "</a>");
            html_print(file, "</td>");
        }
        html_print(file, "</tr>\n");
    }
    return count;
}

static void table_part_write(const TextTable *table, const char *id, bool absent, HtmlFile *file)
{
    html_print(file, "<div class=\"table\"><table class=\"data\" id=\"%s%s\">\n", id,
               absent ? "-absent" : "");
    if (!absent && table->title[0])
        html_print(file, "<caption>%s</caption>\n", table->title);
    static const char *const kinds[] = {
        [TEXT_COLUMN_NUMBERS] = "number", [TEXT_COLUMN_WORDS] = "text", [TEXT_COLUMN_CHOICE] = "filter"};
    html_print(file, "<thead><tr>");
    for (int c = 0; c < table->column_count; c++)
        html_print(file, "<th scope=\"col\" data-kind=\"%s\">%s</th>", kinds[table->kinds[c]],
                   table->columns[c]);
    html_print(file, "</tr></thead>\n<tbody>\n");
    (void)body_write(table, absent, file);
    html_print(file, "</tbody></table></div>\n");
}

int text_table_absent_count(const TextTable *table, const char *state)
{
    int count = 0;
    for (int r = 0; r < text_table_row_count(table); r++)
        for (int c = 0; c < table->column_count; c++) {
            const TextCell *cell = text_table_at(table, r, c);
            count += cell->absent && (!state || strcmp(cell->absent, state) == 0);
        }
    return count;
}

void html_table_write(const TextTable *table, const char *id, HtmlFile *file)
{
    const int absent_rows = body_write(table, true, NULL), absent = text_table_absent_count(table, NULL);
    if (absent_rows < text_table_row_count(table) || absent_rows == 0)
        table_part_write(table, id, false, file);
    if (text_table_legend(table)[0])
        html_print(file, "<p class=\"legend\">%s</p>\n", text_table_legend(table));
    if (absent == 0)
        return;
    /* write the rows without numbers folded, with a count for each state */
    html_print(file, "<details class=\"absent\"><summary>Of its cells: ");
    enum { STATES_MAX = 8 };
    const char *known[STATES_MAX];
    int count = 0;
    for (int r = 0; r < text_table_row_count(table); r++)
        for (int c = 0; c < table->column_count; c++) {
            const char *state = text_table_at(table, r, c)->absent;
            bool is_known = !state || count == STATES_MAX;
            for (int i = 0; i < count && !is_known; i++)
                is_known = strcmp(known[i], state) == 0;
            if (is_known)
                continue;
            known[count++] = state;
            html_print(file, "%s%d %s", count > 1 ? ", " : "", text_table_absent_count(table, state), state);
        }
    html_print(file, "</summary>\n");
    if (absent_rows > 0) {
        html_print(file, "<p>%d row%s without a measured number:</p>\n", absent_rows,
                   absent_rows == 1 ? "" : "s");
        table_part_write(table, id, true, file);
    } else {
        html_print(file, "<p>They are shown as – in the table above.</p>\n");
    }
    html_print(file, "</details>\n");
}

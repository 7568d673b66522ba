/* Writes tables as HTML that is complete without a script, and that a script can sort and filter. */
#include "harness/show/text/html_table.h"

/* Returns the entity for a character that must be escaped in content and in double-quoted attributes, or
 * NULL. */
static const char *entity_of(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void characters_write(const char *text, size_t count, FILE *file)
{
    for (size_t i = 0; i < count; i++)
        if (entity_of(text[i]))
            fputs(entity_of(text[i]), file);
        else
            fputc(text[i], file);
}

void html_text_write(const char *text, FILE *file)
{
    char plain[8192];
    characters_write(plain, text_escape(plain, sizeof plain, text), file);
}

void html_print(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at; at++) {
        const char conversion = at[0] == '%' ? *++at : '\0';
        if (conversion == 's')
            html_text_write(va_arg(arguments, const char *), file);
        else if (conversion == 'd')
            fprintf(file, "%d", va_arg(arguments, int));
        else
            fputc(*at, file);
    }
    va_end(arguments);
}

void html_escaped_write(const char *text, FILE *file)
{
    characters_write(text, strlen(text), file);
}

/* Whether none of the numbers of a row is available. */
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

/* Writes the rows with numbers, or (absent) those without any. Returns their number. With file NULL, only
 * counts. */
static int body_write(const TextTable *table, bool absent, FILE *file)
{
    int count = 0;
    for (int r = 0; r < text_table_row_count(table); r++) {
        if (row_is_absent(table, r) != absent)
            continue;
        count++;
        if (!file)
            continue;
        fputs("<tr>", file);
        for (int c = 0; c < table->column_count; c++) {
            const TextCell *cell = text_table_at(table, r, c);
            const bool is_number = table->kinds[c] == TEXT_COLUMN_NUMBERS;
            char number[NUMBER_EXACT_BYTES];
            fputs("<td", file);
            if (is_number)
                fputs(cell->absent ? " class=\"number absent\"" : " class=\"number\"", file);
            if (!isnan(cell->value) && !isinf(cell->value)) {
                number_exact(cell->value, number);
                fprintf(file, " data-value=\"%s\"", number);
            }
            if (cell->absent)
                html_print(file, " title=\"%s\"", cell->absent);
            if (cell->record[0])
                fprintf(file, " data-record=\"%s\"", cell->record);
            fputc('>', file);
            if (cell->record[0])
                fprintf(file, "<a href=\"records.html#r-%s\">", cell->record);
            if (cell->mark)
                fprintf(file, "<span class=\"%s\">", cell->mark);
            const size_t all = strlen(cell->text), state = cell->absent ? strlen(cell->absent) : 0;
            if (cell->absent && state <= all) {
                characters_write(cell->text, all - state, file);
                fputs("–", file);
            } else {
                characters_write(cell->text, all, file);
            }
            fprintf(file, "%s%s</td>", cell->mark ? "</span>" : "", cell->record[0] ? "</a>" : "");
        }
        fputs("</tr>\n", file);
    }
    return count;
}

static void table_part_write(const TextTable *table, const char *id, bool absent, FILE *file)
{
    fprintf(file, "<div class=\"table\"><table class=\"data\" id=\"%s%s\">\n", id, absent ? "-absent" : "");
    if (!absent && table->title[0])
        html_print(file, "<caption>%s</caption>\n", table->title);
    static const char *const kinds[] = {
        [TEXT_COLUMN_NUMBERS] = "number", [TEXT_COLUMN_WORDS] = "text", [TEXT_COLUMN_CHOICE] = "filter"};
    fputs("<thead><tr>", file);
    for (int c = 0; c < table->column_count; c++)
        html_print(file, "<th scope=\"col\" data-kind=\"%s\">%s</th>", kinds[table->kinds[c]],
                   table->columns[c]);
    fputs("</tr></thead>\n<tbody>\n", file);
    (void)body_write(table, absent, file);
    fputs("</tbody></table></div>\n", file);
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

void html_table_write(const TextTable *table, const char *id, FILE *file)
{
    const int absent_rows = body_write(table, true, NULL), absent = text_table_absent_count(table, NULL);
    if (absent_rows < text_table_row_count(table) || absent_rows == 0)
        table_part_write(table, id, false, file);
    if (text_table_legend(table)[0])
        html_print(file, "<p class=\"legend\">%s</p>\n", text_table_legend(table));
    if (absent == 0)
        return;
    /* fold the rows without a number, and count them by state */
    fputs("<details class=\"absent\"><summary>Of its cells: ", file);
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
    fputs("</summary>\n", file);
    if (absent_rows > 0) {
        fprintf(file, "<p>%d row%s without a measured number:</p>\n", absent_rows,
                absent_rows == 1 ? "" : "s");
        table_part_write(table, id, true, file);
    } else {
        fputs("<p>They are shown as – in the table above.</p>\n", file);
    }
    fputs("</details>\n", file);
}

/* Tables of text, which are filled cell by cell and written as Markdown, CSV or LaTeX. */
#include "harness/show/text/text_table.h"

#include "harness/show/text/interval_text.h"
#include "harness/show/text/targets.h"

enum { CELL_BYTES = 512 };

void text_table_column_add(TextTable *table, const char *title)
{
    char text[CELL_BYTES];
    if (!table || table->column_count == TABLE_COLUMNS_MAX)
        return;
    const TextColumnKind kind = title[0] == '<'   ? TEXT_COLUMN_WORDS
                                : title[0] == '?' ? TEXT_COLUMN_CHOICE
                                                  : TEXT_COLUMN_NUMBERS;
    table->kinds[table->column_count] = kind;
    text_escape(text, sizeof text, title + (kind != TEXT_COLUMN_NUMBERS));
    table->columns[table->column_count] = memory_text(text);
    table->out_of_memory = table->out_of_memory || !table->columns[table->column_count];
    table->column_count++;
}

TextTable *text_table_create(const char *title, const char *columns)
{
    TextTable *table = memory_array(1, sizeof *table);
    if (!table)
        return NULL;
    char text[CELL_BYTES];
    text_escape(text, sizeof text, title);
    table->title = memory_text(text);
    table->out_of_memory = !table->title;
    for (size_t length; *columns; columns += length + (columns[length] == '|')) {
        length = strcspn(columns, "|");
        snprintf(text, sizeof text, "%.*s", (int)length, columns);
        text_table_column_add(table, text);
    }
    if (!table->out_of_memory)
        return table;
    text_table_free(table);
    return NULL;
}

void text_table_free(TextTable *table)
{
    if (!table)
        return;
    for (int r = 0; r < table->row_count; r++) {
        for (int c = 0; c < table->rows[r].cell_count; c++)
            memory_free(table->rows[r].cells[c].text);
        memory_free(table->rows[r].cells);
    }
    for (int c = 0; c < table->column_count; c++)
        memory_free(table->columns[c]);
    FREE_ALL(table->rows, table->title, table);
}

void text_table_cell(TextTable *table, const char *format, ...)
{
    char text[CELL_BYTES];
    va_list arguments;
    va_start(arguments, format);
    text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!table || table->out_of_memory || table->row_count == 0)
        return;
    TextRow *row = &table->rows[table->row_count - 1];
    if (row->cell_count >= table->column_count)
        return;
    TextCell *cell = &row->cells[row->cell_count];
    *cell = (TextCell){.text = memory_text(text), .value = NAN};
    if (cell->text)
        row->cell_count++;
    else
        table->out_of_memory = true;
}

/* Returns the cell that was added last, or NULL if there is none. */
static TextCell *last_cell(TextTable *table)
{
    TextRow *row =
        table && !table->out_of_memory && table->row_count > 0 ? &table->rows[table->row_count - 1] : NULL;
    return row && row->cell_count > 0 ? &row->cells[row->cell_count - 1] : NULL;
}

void text_table_value(TextTable *table, double value, const char *record)
{
    TextCell *cell = last_cell(table);
    if (cell) {
        cell->value = value;
        snprintf(cell->record, sizeof cell->record, "%s", record ? record : "");
    }
    if (!record)
        text_table_fail(table);
}

void text_table_mark(TextTable *table, const char *classes)
{
    TextCell *cell = last_cell(table);
    if (cell)
        cell->mark = classes;
}

void text_table_link(TextTable *table, const char *id)
{
    TextCell *cell = last_cell(table);
    if (cell)
        cell->link = id;
}

void text_table_absent(TextTable *table, const char *state)
{
    TextCell *cell = last_cell(table);
    if (cell)
        cell->absent = state;
}

static void words_append(TextTable *table, va_list texts)
{
    for (const char *text; (text = va_arg(texts, const char *)) != NULL;)
        text_table_cell(table, "%s", text);
}

void text_table_words(TextTable *table, ...)
{
    va_list texts;
    va_start(texts, table);
    words_append(table, texts);
    va_end(texts);
}

void text_table_row(TextTable *table, ...)
{
    TextRow *rows = table ? memory_grow(table->rows, (size_t)table->row_count, sizeof *rows) : NULL;
    TextCell *cells = rows ? memory_array((size_t)table->column_count + 1, sizeof *cells) : NULL;
    va_list texts;
    if (rows)
        table->rows = rows;
    if (cells)
        rows[table->row_count++] = (TextRow){.cells = cells};
    else
        text_table_fail(table);
    va_start(texts, table);
    words_append(table, texts);
    va_end(texts);
}

void text_table_number(TextTable *table, double value, int digits)
{
    double size = fabs(value);
    if (isnan(value)) {
        text_table_cell(table, "-");
    } else if (size != 0.0 && (size < 1e-3 || size >= 1e6)) {
        text_table_cell(table, "%.*e", digits - 1, value);
    } else {
        text_table_cell(table, "%.*f", number_decimals(value, digits), value);
    }
    text_table_value(table, value, "");
}

void number_exact(double value, char text[NUMBER_EXACT_BYTES])
{
    text[0] = '\0';
    for (int digits = 6; !isnan(value) && digits <= 17; digits++) {
        snprintf(text, NUMBER_EXACT_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
}

void text_table_exact(TextTable *table, double value)
{
    char text[NUMBER_EXACT_BYTES];
    number_exact(value, text);
    text_table_cell(table, "%s", text);
    text_table_value(table, value, "");
}

static void column_remove(TextTable *table, int c)
{
    const int after = --table->column_count - c;
    memory_free(table->columns[c]);
    memmove(table->columns + c, table->columns + c + 1, (size_t)after * sizeof *table->columns);
    memmove(table->kinds + c, table->kinds + c + 1, (size_t)after * sizeof *table->kinds);
    for (int r = 0; r < table->row_count; r++) {
        TextRow *row = &table->rows[r];
        if (c >= row->cell_count)
            continue;
        memory_free(row->cells[c].text);
        memmove(row->cells + c, row->cells + c + 1, (size_t)(--row->cell_count - c) * sizeof *row->cells);
    }
}

void text_table_keep(TextTable *table, const char *const *titles)
{
    for (int c = table ? table->column_count - 1 : -1; c >= 0; c--) {
        bool kept = false;
        for (int i = 0; titles[i] && !kept; i++)
            kept = strcmp(table->columns[c], titles[i]) == 0;
        if (!kept)
            column_remove(table, c);
    }
}

void text_table_drop_empty(TextTable *table)
{
    for (int c = table->column_count - 1; c >= 0; c--) {
        bool empty = table->kinds[c] == TEXT_COLUMN_NUMBERS;
        for (int r = 0; r < table->row_count; r++) {
            const TextRow *row = &table->rows[r];
            empty = empty && (c >= row->cell_count || strcmp(row->cells[c].text, "-") == 0);
        }
        if (empty)
            column_remove(table, c);
    }
}

void text_table_fail(TextTable *table)
{
    if (table)
        table->out_of_memory = true;
}

Status text_table_status(const TextTable *table)
{
    return !table || table->out_of_memory ? status_out_of_memory("a table") : status_ok();
}

int text_table_row_count(const TextTable *table)
{
    return table ? table->row_count : 0;
}

const TextCell *text_table_at(const TextTable *table, int row, int column)
{
    static char nothing[] = "";
    static const TextCell empty = {.text = nothing, .value = (double)NAN};
    return column < table->rows[row].cell_count ? &table->rows[row].cells[column] : &empty;
}

static const char *cell_at(const TextTable *table, int row, int column)
{
    return row < 0 ? table->columns[column] : text_table_at(table, row, column)->text;
}

static bool is_words(const TextTable *table, int column)
{
    return table->kinds[column] != TEXT_COLUMN_NUMBERS;
}

static bool cells_hold(const TextTable *table, const char *mark)
{
    for (int r = 0; r < table->row_count; r++)
        for (int c = 0; c < table->rows[r].cell_count; c++)
            if (strstr(table->rows[r].cells[c].text, mark))
                return true;
    return false;
}

#define INTERVALS_MEAN "±: half of the 95 % interval of the median."
#define DISTURBED_MEANS                                                                                      \
    DISTURBED_MARK                                                                                           \
    ": disturbed; other work on the machine spoiled so many samples, even after they were repeated, that "   \
    "the number may be off by more."

const char *text_table_legend(const TextTable *table)
{
    static const char *const texts[] = {"", INTERVALS_MEAN, DISTURBED_MEANS,
                                        INTERVALS_MEAN " " DISTURBED_MEANS};
    return texts[cells_hold(table, "±") + 2 * cells_hold(table, DISTURBED_MARK)];
}

enum { WORDS_ALIGNED = 40 }; /* a longer cell, in characters, does not widen its column in Markdown */

static void markdown_write(const TextTable *table, FILE *out)
{
    MarkdownFile *file = markdown_file(out);
    int widths[TABLE_COLUMNS_MAX];
    for (int c = 0; c < table->column_count; c++) {
        widths[c] = 3;
        for (int r = -1; r < table->row_count; r++)
            widths[c] = int_max(widths[c], markdown_width(cell_at(table, r, c)));
        if (is_words(table, c) && widths[c] > WORDS_ALIGNED)
            widths[c] = WORDS_ALIGNED;
    }
    if (table->title[0])
        markdown_print(file, "**%s**\n\n", table->title);
    for (int r = -1; r < table->row_count; r++) {
        for (int c = 0; c < table->column_count; c++) {
            const char *text = cell_at(table, r, c);
            const int padding = int_max(widths[c] - markdown_width(text), 0);
            fprintf(out, "| %*s", is_words(table, c) ? 0 : padding, "");
            markdown_print(file, "%s", text);
            fprintf(out, "%*s", (is_words(table, c) ? padding : 0) + 1, "");
        }
        markdown_print(file, "|\n");
        for (int c = 0; r < 0 && c < table->column_count; c++) {
            markdown_print(file, "|%c", is_words(table, c) ? ':' : '-');
            for (int i = 0; i < widths[c]; i++)
                markdown_print(file, "-");
            markdown_print(file, "%c", is_words(table, c) ? '-' : ':');
        }
        if (r < 0)
            markdown_print(file, "|\n");
    }
    if (text_table_legend(table)[0])
        markdown_print(file, "\n%s\n", text_table_legend(table));
}

static void csv_write(const TextTable *table, FILE *out)
{
    CsvFile *file = csv_file(out);
    for (int r = -1; r < table->row_count; r++)
        for (int c = 0; c < table->column_count; c++)
            csv_print(file, "%s%c", cell_at(table, r, c), c + 1 < table->column_count ? ',' : '\n');
}

/* In LaTeX, columns of sentences are wrapped, and the table may span pages. Widths follow the longest
 * cell. */
enum {
    LATEX_WRAPPED = 48,
    LATEX_SHORTEST = 4,
    LATEX_WIDER = 4
}; /* characters added to the widths, because letters may be wider than average */

static size_t column_width(const TextTable *table, int column)
{
    size_t widest = LATEX_SHORTEST;
    for (int r = -1; r < table->row_count; r++)
        widest = size_max(widest, strlen(cell_at(table, r, column)));
    return size_min(widest + LATEX_WIDER, LATEX_WRAPPED);
}

static void latex_rows(const TextTable *table, bool repeats_head, LatexFile *file)
{
    for (int r = -1; r < table->row_count; r++) {
        for (int c = 0; c < table->column_count; c++) {
            if (c > 0)
                latex_print(file, " & ");
            latex_print(file, "%s", cell_at(table, r, c));
        }
        latex_print(file, " \\\\\n");
        if (r < 0)
            latex_print(file, "\\hline\n");
        if (r < 0 && repeats_head)
            latex_print(file, "\\endhead\n");
    }
}

static void latex_write(const TextTable *table, FILE *out)
{
    LatexFile *file = latex_file(out);
    for (int c = 0; c < table->column_count; c++)
        if (is_words(table, c) && column_width(table, c) >= LATEX_WRAPPED) {
            size_t total = 0;
            for (int k = 0; k < table->column_count; k++)
                total += column_width(table, k);
            latex_print(file, "{\\footnotesize\n\\begin{longtable}{");
            for (int k = 0; k < table->column_count; k++) {
                if (is_words(table, k))
                    latex_print(file, ">{\\raggedright\\arraybackslash}");
                latex_print(file, "p{%.3f\\linewidth}",
                            0.84 * (double)column_width(table, k) / (double)total);
            }
            latex_print(file, "}\n\\caption{%s}\\\\\n\\hline\n", table->title);
            latex_rows(table, true, file);
            latex_print(file, "\\hline\n\\end{longtable}}\n");
            return;
        }
    latex_print(file, "\\begin{table}\n\\centering\n\\caption{%s}\n\\begin{tabular}{", table->title);
    for (int c = 0; c < table->column_count; c++)
        latex_print(file, "%c", is_words(table, c) ? 'l' : 'r');
    latex_print(file, "}\n\\hline\n");
    latex_rows(table, false, file);
    latex_print(file, "\\hline\n\\end{tabular}\n\\end{table}\n");
}

void text_table_write(const TextTable *table, TableFormat format, FILE *file)
{
    static void (*const writers[])(const TextTable *, FILE *) = {
        [TABLE_MARKDOWN] = markdown_write, [TABLE_CSV] = csv_write, [TABLE_LATEX] = latex_write};
    writers[format](table, file);
}

Status text_table_show(TextTable *taken)
{
    OWNED_BY(text_table_free) TextTable *table = taken;
    STATUS_TRY(text_table_status(table));
    if (text_table_row_count(table) > 0) {
        text_table_write(table, TABLE_MARKDOWN, stdout);
        putchar('\n');
    }
    return status_ok();
}

/* Writes LaTeX tables. Every column's width is a fraction of \columnwidth, so that no table is too wide. */
#include "harness/show/tables/latex_table.h"

#include "harness/show/text/targets.h"

enum { SLOTS_MAX = 4 }; /* how many number columns fit side by side, each 10 characters wide */

/* A column of a published table. It has the measured numbers and, if any row has a published number, also
 * the published numbers, in front of the measured ones. */
typedef struct LatexColumn {
    const TableColumn *column;
    int slots; /* space that the column takes, measured in number columns: 1 or 2 */
} LatexColumn;

/* Returns -1 if lower is better, 1 if higher is better, 0 if neither or unknown. */
static int better_of(const TableColumn *column)
{
    static const char *const lower[] = {"e_rms", "kg_percent", "size_mb", "bones"};
    const bool is_metric = strncmp(column->quantity, "metrics.", 8) == 0;
    const Metric *metric = metric_find(column->quantity + (is_metric ? 8 : 0));
    if (metric && metric->better != METRIC_NEITHER)
        return metric->better == METRIC_LOWER ? -1 : 1;
    bool known = column_is_time(column);
    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
        known = known || strcmp(column->quantity, lower[i]) == 0;
    return known ? -1 : 0;
}

/* Whether a value is the best in its row among the shown columns of the same quantity. */
static bool cell_is_best(const TableView *view, const TableRow *row, const TableColumn *column, double value)
{
    const int better = better_of(column);
    int others = 0;
    for (int c = 0; c < view->table->column_count; c++) {
        const TableColumn *other = &view->table->columns[c];
        if (other == column || other->hidden || strcmp(other->quantity, column->quantity) != 0)
            continue;
        const TableCell cell = table_cell_find(view, row, other);
        if (cell.state == TABLE_CELL_MEASURED && better * (cell.measured.value - value) > 0.0)
            return false;
        others += cell.state == TABLE_CELL_MEASURED;
    }
    return better != 0 && others > 0;
}

/* A table that continues on further pages under the same number. A page has about sixty lines in the
 * table's font size, and the caption takes up to eight of them. */
typedef struct LatexPages {
    const TableView *view;
    bool best;
    LatexFile *file;
    int part, lines; /* lines written so far in this part of the table */
} LatexPages;

enum { PART_LINES = 48, BLOCK_LINES = 4, NAME_LETTERS = 14 };

static void part_begin(LatexPages *pages)
{
    const PublishedTable *table = pages->view->table;
    const char *machine = pages->view->records->machine;
    LatexFile *file = pages->file;
    latex_print(file, "\\begin{table}\n");
    if (pages->part > 0)
        latex_print(file, "\\addtocounter{table}{-1}");
    latex_print(file, "\\sisetup{detect-all,output-exponent-marker=\\mathrm{e}}\n\\caption{%s", table->title);
    if (pages->part > 0) {
        latex_print(file, ", continued.}\n");
    } else {
        latex_print(file, ". Print: numbers of %s, %s. Ours: measured by skinbench%s%s", table->paper,
                    table->place, machine ? " on " : "", machine ? machine : "");
        latex_print(file, ".%s}\n\\label{tab:%s}\n", pages->best ? " Bold: best in its row." : "",
                    table->name);
    }
    latex_print(file, "\\smallskip\\centering\\footnotesize\\setlength{\\tabcolsep}{0.005\\columnwidth}\n");
    pages->lines = 0;
    pages->part++;
}

static void block_begin(const LatexPages *pages, const LatexColumn *columns, int count)
{
    int slots = 0;
    for (int i = 0; i < count; i++)
        slots += columns[i].slots;
    latex_print(pages->file,
                "\\begin{tabular}{@{}>{\\raggedright\\arraybackslash\\hspace{0pt}}p{0.26\\columnwidth}"
                "*{%d}{>{\\raggedleft\\arraybackslash}p{0.15\\columnwidth}}@{}}\n\\toprule\n",
                slots);
    bool pairs = false;
    for (int i = 0; i < count; i++) {
        const TableColumn *column = columns[i].column;
        /* write the total width of the number columns, including the space between them */
        latex_print(
            pages->file,
            " & \\multicolumn{%d}{>{\\raggedleft\\arraybackslash\\hspace{0pt}}p{%.2f\\columnwidth}}{%s%s%s}",
            columns[i].slots, 0.16 * columns[i].slots - 0.01, column->title, column->unit[0] ? ", " : "",
            column->unit);
        pairs = pairs || columns[i].slots == 2;
    }
    latex_print(pages->file, " \\\\\n");
    for (int i = 0; i < count && pairs; i++)
        if (columns[i].slots == 2)
            latex_print(pages->file, " & print & ours");
        else
            latex_print(pages->file, " & ours");
    if (pairs)
        latex_print(pages->file, " \\\\\n");
    latex_print(pages->file, "\\midrule\n");
}

static int row_lines(const TableRow *row)
{
    return 1 + ((int)strlen(row->name) - 1) / NAME_LETTERS;
}

/* Writes a block of columns that fit side by side, with all rows. Continues in another part if the page is
 * full. */
static void block_write(LatexPages *pages, const LatexColumn *columns, int count)
{
    const PublishedTable *table = pages->view->table;
    int needed = BLOCK_LINES;
    for (int r = 0; r < table->row_count; r++)
        needed += table_row_listed(pages->view, &table->rows[r]) ? row_lines(&table->rows[r]) : 0;
    if (pages->part == 0 || (pages->lines > 0 && pages->lines + needed > PART_LINES)) {
        if (pages->part > 0)
            latex_print(pages->file, "\\end{table}\n");
        part_begin(pages);
    } else {
        latex_print(pages->file, "\n\\smallskip\n");
    }
    block_begin(pages, columns, count);
    pages->lines += BLOCK_LINES;
    for (int r = 0; r < table->row_count; r++) {
        const TableRow *row = &table->rows[r];
        if (!table_row_listed(pages->view, row))
            continue;
        if (pages->lines + row_lines(row) > PART_LINES) {
            latex_print(pages->file, "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
            part_begin(pages);
            block_begin(pages, columns, count);
            pages->lines = BLOCK_LINES;
        }
        pages->lines += row_lines(row);
        LatexFile *file = pages->file;
        latex_print(file, "%s", row->name);
        for (int i = 0; i < count; i++) {
            const TableColumn *column = columns[i].column;
            const TableCell cell = table_cell_find(pages->view, row, column);
            if (columns[i].slots == 2) {
                latex_print(file, " & ");
                if (!isnan(cell.published))
                    latex_print(file, "\\num{%.10g}", cell.published);
            }
            latex_print(file, " & ");
            if (cell.state == TABLE_CELL_MEASURED) {
                const double size = fabs(cell.measured.value);
                const int before = size > 0.0 ? (int)floor(log10(size)) + 1 : 1;
                const bool best = pages->best && cell_is_best(pages->view, row, column, cell.measured.value);
                if (best)
                    latex_print(file, "\\bfseries");
                latex_print(file, "\\num{");
                if (size != 0.0 && (size < 1e-3 || size >= 1e6))
                    latex_print(file, "%.*e}", column->digits - 1, cell.measured.value);
                else
                    latex_print(file, "%.*f}", column->digits > before ? column->digits - before : 0,
                                cell.measured.value);
            } else if (cell.state != TABLE_CELL_EMPTY)
                latex_print(file, "--");
        }
        latex_print(file, " \\\\\n");
    }
    latex_print(pages->file, "\\bottomrule\n\\end{tabular}\n");
}

void latex_table_write(const TableView *view, bool best, FILE *out)
{
    LatexFile *file = latex_file(out);
    const PublishedTable *table = view->table;
    LatexPages pages = {.view = view, .best = best, .file = file};
    LatexColumn columns[SLOTS_MAX];
    int count = 0, slots = 0;
    latex_print(file, "%% needs \\usepackage{array,booktabs,siunitx}\n");
    for (int c = 0; c < table->column_count; c++) {
        const TableColumn *column = &table->columns[c];
        if (column->hidden)
            continue;
        LatexColumn next = {column, 1};
        for (int r = 0; r < table->row_count; r++)
            if (table_row_listed(view, &table->rows[r]) &&
                !isnan(table_cell_find(view, &table->rows[r], column).published))
                next.slots = 2;
        if (slots + next.slots > SLOTS_MAX) {
            block_write(&pages, columns, count);
            count = slots = 0;
        }
        columns[count++] = next;
        slots += next.slots;
    }
    if (count > 0)
        block_write(&pages, columns, count);
    if (pages.part > 0)
        latex_print(file, "\\end{table}\n");
}

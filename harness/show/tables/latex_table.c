/* Writes LaTeX tables. Every column's width is a fraction of \columnwidth, so that no table is too wide. */
#include "harness/show/tables/latex_table.h"

#include "harness/show/text/interval_text.h"
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

/* Whether a value is the best in its row among the columns of the same quantity in its block. */
static bool cell_is_best(const TableView *view, const TableRow *row, const LatexColumn *columns, int count,
                         const TableColumn *column, double value)
{
    const int better = better_of(column);
    int others = 0;
    for (int i = 0; i < count; i++) {
        const TableColumn *other = columns[i].column;
        if (other == column || strcmp(other->quantity, column->quantity) != 0)
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
    unsigned marks;  /* the marks of measured numbers that the caption explains */
    int part, lines; /* lines written so far in this part of the table */
} LatexPages;

enum { MARK_INTERVAL = 1, MARK_SAMPLES = 2, MARK_DISTURBED = 4 };

/* Writes a measured number as \num{1.41(3)} with half of its 95 % interval in units of the last digit. A
 * raised number says how many samples were too few for an interval, and a raised dagger that they were
 * disturbed. Returns the marks. With file NULL, writes nothing. */
static unsigned number_write(const TableColumn *column, const SampledNumber *number, LatexFile *file)
{
    const double size = fabs(number->value), half = 0.5 * (number->high - number->low);
    const bool has_exponent = size != 0.0 && (size < 1e-3 || size >= 1e6);
    const int decimals = number_decimals(number->value, column->digits);
    const unsigned marks = (number->samples > 0 && half > 0.0 && !has_exponent ? MARK_INTERVAL : 0U) |
                           (number->samples > 0 && isnan(half) ? MARK_SAMPLES : 0U) |
                           (number->disturbed ? MARK_DISTURBED : 0U);
    if (!file)
        return marks;
    if (has_exponent)
        latex_print(file, "\\num{%.*e", column->digits - 1, number->value);
    else
        latex_print(file, "\\num{%.*f", decimals, number->value);
    if (marks & MARK_INTERVAL)
        latex_print(file, "(%.0f)", fmax(1.0, ceil(half * pow(10.0, decimals))));
    latex_print(file, "}");
    if (marks & (MARK_SAMPLES | MARK_DISTURBED))
        latex_print(file, "$^{");
    if (marks & MARK_SAMPLES)
        latex_print(file, "%d", number->samples);
    if (marks & MARK_DISTURBED)
        latex_print(file, "\\dagger");
    if (marks & (MARK_SAMPLES | MARK_DISTURBED))
        latex_print(file, "}$");
    return marks;
}

enum { PART_LINES = 48, BLOCK_LINES = 5, NAME_LETTERS = 13 };

static void part_begin(LatexPages *pages)
{
    const PublishedTable *table = pages->view->table;
    const char *machine = pages->view->records->machine;
    LatexFile *file = pages->file;
    latex_print(file, "\\begin{table}\n");
    if (pages->part > 0)
        latex_print(file, "\\addtocounter{table}{-1}");
    latex_print(file,
                "\\sisetup{detect-all,group-digits=false,output-exponent-marker=\\mathrm{e}}\n\\caption{%s",
                table->title);
    if (pages->part > 0) {
        latex_print(file, ", continued.}\n");
    } else {
        latex_print(file, ". Paper: numbers of %s, %s. Here: measured by skinbench%s%s", table->paper,
                    table->place, machine ? " on " : "", machine ? machine : "");
        latex_print(file, ".%s%s%s%s}\n\\label{tab:%s}\n",
                    pages->best ? " Bold: best in its row, among the columns of a block." : "",
                    pages->marks & MARK_INTERVAL
                        ? " In parentheses: half of the 95 % interval, in units of the last digit."
                        : "",
                    pages->marks & MARK_SAMPLES ? " Raised: number of samples, too few for an interval." : "",
                    pages->marks & MARK_DISTURBED ? " Raised dagger: disturbed by other work." : "",
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
                "\\begin{tabular}{@{}>{\\raggedright\\arraybackslash\\hspace{0pt}}p{0.257\\columnwidth}"
                "*{%d}{>{\\raggedleft\\arraybackslash}p{0.1735\\columnwidth}}@{}}\n\\toprule\n",
                slots);
    bool pairs = false, of_machine = false;
    const PublishedTable *table = pages->view->table;
    if (table->kind->quantity_title)
        latex_print(pages->file, "\\multicolumn{%d}{@{}l@{}}{\\itshape %s}\\\\\n", slots + 1,
                    table->kind->quantity_title(columns[0].column->quantity, &of_machine));
    for (int i = 0; i < count; i++) {
        const TableColumn *column = columns[i].column;
        /* write the total width of the number columns, including the space between them */
        latex_print(
            pages->file,
            " & \\multicolumn{%d}{>{\\raggedleft\\arraybackslash\\hspace{0pt}}p{%.4f\\columnwidth}}{%s%s%s}",
            columns[i].slots, 0.1835 * columns[i].slots - 0.01, column->title, column->unit[0] ? ", " : "",
            column->unit);
        pairs = pairs || columns[i].slots == 2;
    }
    latex_print(pages->file, " \\\\\n");
    for (int i = 0; i < count && pairs; i++)
        if (columns[i].slots == 2)
            latex_print(pages->file, " & paper & here");
        else
            latex_print(pages->file, " & here");
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
                if (pages->best &&
                    cell_is_best(pages->view, row, columns, count, column, cell.measured.value))
                    latex_print(file, "\\bfseries");
                (void)number_write(column, &cell.measured, file);
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
    LatexColumn shown[PUBLISHED_COLUMNS_MAX];
    int count = 0, shown_count = 0;
    latex_print(file, "%% needs \\usepackage{array,booktabs,siunitx}\n");
    for (int c = 0; c < table->column_count; c++) {
        const TableColumn *column = &table->columns[c];
        if (column->hidden)
            continue;
        LatexColumn next = {column, 1};
        for (int r = 0; r < table->row_count; r++) {
            if (!table_row_listed(view, &table->rows[r]))
                continue;
            const TableCell cell = table_cell_find(view, &table->rows[r], column);
            next.slots = isnan(cell.published) ? next.slots : 2;
            if (cell.state == TABLE_CELL_MEASURED)
                pages.marks |= number_write(column, &cell.measured, NULL);
        }
        shown[shown_count++] = next;
    }
    /* a block has columns of one quantity, if the table has several columns of each */
    for (int c = 0; c < shown_count; c += count) {
        int slots = 0;
        for (count = 0; c + count < shown_count; count++) {
            slots += shown[c + count].slots;
            if (slots > SLOTS_MAX ||
                (table->kind->quantity_title &&
                 strcmp(shown[c].column->quantity, shown[c + count].column->quantity) != 0))
                break;
        }
        block_write(&pages, shown + c, count);
    }
    if (pages.part > 0)
        latex_print(file, "\\end{table}\n");
}

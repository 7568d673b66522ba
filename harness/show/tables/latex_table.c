/* Every column has a width that is a share of \columnwidth, so that nothing sticks out. */
#include "harness/show/tables/latex_table.h"

#include "harness/measure/metrics/metrics.h"
#include "harness/show/text/text_table.h"

enum { SLOTS_MAX = 4 }; /* columns of numbers side by side: 10 characters each at the width of a column */

/* A column of the table: its measured numbers, and where any row has one, its published numbers before them.
 */
typedef struct LatexColumn {
    const TableColumn *column;
    int slots; /* 1 or 2 */
} LatexColumn;

static void number_write(double value, int digits, bool bold, FILE *file)
{
    const double size = fabs(value);
    const int before = size > 0.0 ? (int)floor(log10(size)) + 1 : 1;
    fputs(bold ? "\\bfseries\\num{" : "\\num{", file);
    if (size != 0.0 && (size < 1e-3 || size >= 1e6))
        fprintf(file, "%.*e}", digits - 1, value);
    else
        fprintf(file, "%.*f}", digits > before ? digits - before : 0, value);
}

/* -1: lower is better, 1: higher, 0: neither or unknown. */
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

/* Whether no shown column of the same quantity has a better number in the row, and at least one has a number.
 */
static bool cell_is_best(const TableView *view, const TableRow *row, const TableColumn *column, double value)
{
    const int better = better_of(column);
    int others = 0;
    for (int c = 0; c < view->table->column_count; c++) {
        const TableColumn *other = &view->table->columns[c];
        if (other == column || other->hidden || strcmp(other->quantity, column->quantity) != 0)
            continue;
        const TableCell cell = table_cell_find(view, row, other);
        if (cell.state == TABLE_CELL_MEASURED && better * (cell.measured - value) > 0.0)
            return false;
        others += cell.state == TABLE_CELL_MEASURED;
    }
    return better != 0 && others > 0;
}

static void head_write(const LatexColumn *columns, int count, FILE *file)
{
    bool pairs = false;
    for (int i = 0; i < count; i++) {
        const TableColumn *column = columns[i].column;
        /* the width of its slots, with what is between two of them */
        fprintf(file,
                " & \\multicolumn{%d}{>{\\raggedleft\\arraybackslash\\hspace{0pt}}p{%.2f\\columnwidth}}{",
                columns[i].slots, 0.16 * columns[i].slots - 0.01);
        latex_text_write(column->title, file);
        fputs(column->unit[0] ? ", " : "", file);
        latex_text_write(column->unit, file);
        fputc('}', file);
        pairs = pairs || columns[i].slots == 2;
    }
    fputs(" \\\\\n", file);
    for (int i = 0; i < count && pairs; i++)
        fputs(columns[i].slots == 2 ? " & print & ours" : " & ours", file);
    fputs(pairs ? " \\\\\n\\midrule\n" : "\\midrule\n", file);
}

static void block_write(const TableView *view, bool best, const LatexColumn *columns, int count, FILE *file)
{
    int slots = 0;
    for (int i = 0; i < count; i++)
        slots += columns[i].slots;
    fprintf(file,
            "\\begin{tabular}{@{}>{\\raggedright\\arraybackslash\\hspace{0pt}}p{0.26\\columnwidth}"
            "*{%d}{>{\\raggedleft\\arraybackslash}p{0.15\\columnwidth}}@{}}\n\\toprule\n",
            slots);
    head_write(columns, count, file);
    for (int r = 0; r < view->table->row_count; r++) {
        const TableRow *row = &view->table->rows[r];
        if (!table_row_listed(view, row))
            continue;
        latex_text_write(row->name, file);
        for (int i = 0; i < count; i++) {
            const TableColumn *column = columns[i].column;
            const TableCell cell = table_cell_find(view, row, column);
            if (columns[i].slots == 2) {
                fputs(" & ", file);
                if (!isnan(cell.published))
                    fprintf(file, "\\num{%.10g}", cell.published);
            }
            fputs(" & ", file);
            if (cell.state == TABLE_CELL_MEASURED)
                number_write(cell.measured, column->digits,
                             best && cell_is_best(view, row, column, cell.measured), file);
            else
                fputs(cell.state == TABLE_CELL_EMPTY ? "" : "--", file);
        }
        fputs(" \\\\\n", file);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", file);
}

void latex_table_write(const TableView *view, bool best, FILE *file)
{
    const PublishedTable *table = view->table;
    LatexColumn columns[SLOTS_MAX];
    int count = 0, slots = 0;
    fputs("% needs "
          "\\usepackage{array,booktabs,siunitx}\n\\begin{table}\n\\sisetup{detect-all,output-exponent-marker="
          "\\mathrm{e}}\n\\caption{",
          file);
    latex_text_write(table->title, file);
    fputs(". Print: ", file);
    latex_text_write(table->paper, file);
    fputs(", ", file);
    latex_text_write(table->place, file);
    fputs(". Ours: measured by skinbench", file);
    if (view->records->machine) {
        fputs(" on ", file);
        latex_text_write(view->records->machine, file);
    }
    fprintf(file,
            ".%s}\n\\label{tab:%s}\n\\smallskip\\centering\\footnotesize\\setlength{\\tabcolsep}{0."
            "005\\columnwidth}\n",
            best ? " Bold: best of its row." : "", table->name);
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
            block_write(view, best, columns, count, file);
            fputs("\n\\smallskip\n", file);
            count = slots = 0;
        }
        columns[count++] = next;
        slots += next.slots;
    }
    if (count > 0)
        block_write(view, best, columns, count, file);
    fputs("\\end{table}\n", file);
}

/* The figures that published tables ask for: curves of studies, E_RMS against iterations, and published beside
 * measured errors. */
#include "harness/report/figures.h"

#include <math.h>
#include <string.h>

enum { CURVES_MAX = 24, NAMES_BYTES = 4096 };

/* What is drawn: curves with their names, or lines with points. */
typedef struct Plot {
    FILE *data, *rings; /* rings: what is printed, on the curves of iterations */
    int count;
    char names[NAMES_BYTES]; /* words in double quotes, one per curve */
    double top, last, ends[CURVES_MAX];
    double lowest, highest;
} Plot;

static void curve_name(Plot *plot, const char *name)
{
    char escaped[512];
    size_t used = strlen(plot->names);
    figure_text(name, escaped, sizeof escaped);
    snprintf(plot->names + used, sizeof plot->names - used, "\"%s\" ", escaped);
    plot->count++;
}

/* ---- curves of studies ---- */

/* One curve as a block of x, y; what there is none of in either is a gap. */
static void curve_write(Plot *plot, const Measure *xs, const Measure *ys, const char *label)
{
    if (!xs || xs->count == 0 || ys->count != xs->count || plot->count == CURVES_MAX)
        return;
    for (int i = 0; i < xs->count; i++)
        if (isnan(xs->curve[i]) || isnan(ys->curve[i]))
            fprintf(plot->data, "\n");
        else
            fprintf(plot->data, "%.17g\t%.17g\n", xs->curve[i], ys->curve[i]);
    fprintf(plot->data, "\n\n");
    curve_name(plot, label);
}

/* The record of a row that has the curve, from any of the table's columns; NULL: none. */
static const Record *curve_record(const TableView *view, const TableRow *row, const char *name)
{
    for (int c = 0; c < view->table->column_count; c++) {
        const Record *record = table_cell_find(view, row, &view->table->columns[c]).record;
        if (record_curve(record, name))
            return record;
    }
    return NULL;
}

/* All curves of a row: named after the row, the curve, or both where there are several of both. */
static void curves_draw(Plot *plot, const TableView *view, const TableRow *row, bool row_named)
{
    const TableFigure *figure = &view->table->figure;
    bool curve_named = figure->curve_count > 1 || !row_named;
    for (int i = 0; i < figure->curve_count; i++) {
        const FigureCurve *curve = &figure->curves[i];
        const Record *record = curve_record(view, row, curve->y);
        char label[2 * TABLE_TEXT_BYTES + 4];
        snprintf(label, sizeof label, "%s%s%s", row_named ? row->name : "",
                 row_named && curve_named ? ": " : "",
                 !curve_named      ? ""
                 : curve->title[0] ? curve->title
                                   : curve->y);
        if (record)
            curve_write(plot, record_curve(record, curve->x[0] ? curve->x : figure->x),
                        record_curve(record, curve->y), label);
    }
}

static void curves_settings(const Plot *plot, const TableView *view, const char *name, char *more,
                            size_t size)
{
    const TableFigure *figure = &view->table->figure;
    char x_title[256], y_title[256];
    (void)name;
    figure_text(figure->x_title, x_title, sizeof x_title);
    figure_text(figure->y_title, y_title, sizeof y_title);
    snprintf(more, size, "curves=%d; names='%s'; x_title='%s'; y_title='%s'; logarithmic='%s'", plot->count,
             plot->names, x_title, y_title, figure->log);
}

/* ---- E_RMS against iterations ---- */

static void descent_draw(Plot *plot, const TableView *view, const TableRow *row, bool row_named)
{
    (void)row_named;
    const TableColumn *column = &view->table->columns[0];
    TableCell cell = table_cell_find(view, row, column);
    const FitFacts *fit = cell.record ? &cell.record->fit : NULL;
    double last = 0.0;
    if (!fit || fit->descent_count < 2 || plot->count == CURVES_MAX)
        return;
    for (int i = 0; i < fit->descent_count; i++) {
        const DescentPoint *point = &fit->descent[i];
        if (point->iteration < 1 || isnan(point->e_rms))
            continue;
        fprintf(plot->data, "%d\t%.17g\n", point->iteration, point->e_rms);
        plot->top = fmax(plot->top, point->e_rms);
        plot->last = fmax(plot->last, point->iteration);
        last = point->e_rms;
    }
    fprintf(plot->data, "\n\n");
    if (!isnan(cell.published))
        fprintf(plot->rings, "%d\t%.17g\t%d\n", column->iteration, cell.published, plot->count);
    plot->ends[plot->count] = last;
    curve_name(plot, row->name);
}

/* Names at the ends of curves must not lie on each other: from the lowest up, each is raised to keep a line's
 * distance from the one below. The shifts, as a gnuplot list of words. */
static void shifts_format(const Plot *plot, char *text, size_t size)
{
    double places[CURVES_MAX], distance = 0.055 * plot->top;
    int order[CURVES_MAX];
    for (int i = 0; i < plot->count; i++) {
        int k = i;
        for (; k > 0 && plot->ends[order[k - 1]] > plot->ends[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < plot->count; k++) {
        places[order[k]] = plot->ends[order[k]];
        if (k > 0)
            places[order[k]] = fmax(places[order[k]], places[order[k - 1]] + distance);
    }
    text[0] = '\0';
    for (int i = 0; i < plot->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%.6g ", places[i] - plot->ends[i]);
}

static void iterations_settings(const Plot *plot, const TableView *view, const char *name, char *more,
                                size_t size)
{
    const TableFigure *figure = &view->table->figure;
    char shifts[512], x_title[256], title[256];
    shifts_format(plot, shifts, sizeof shifts);
    figure_text(figure->x_title, x_title, sizeof x_title);
    figure_text(view->table->columns[0].place, title, sizeof title);
    snprintf(more, size,
             "rings='%s-rings.tsv'; curves=%d; last=%g; top=%g; names='%s'; shifts='%s'; x_title='%s'; "
             "rings_title='printed in %s'",
             name, plot->count, plot->last, 1.05 * plot->top, plot->names, shifts, x_title, title);
}

/* ---- published beside measured ---- */

static void span_add(Plot *plot, double value)
{
    if (value > 0.0) {
        plot->lowest = fmin(plot->lowest, value);
        plot->highest = fmax(plot->highest, value);
    }
}

/* One line for a row of the paper under a column, with the value of the column beside it where it has one. */
static void points_line(Plot *plot, const TableView *view, const TableRow *row, const FigurePoints *points)
{
    const TableColumn *column = table_column_find(view->table, points->column);
    const TableColumn *beside = table_column_find(view->table, points->beside);
    TableCell cell = table_cell_find(view, row, column);
    double other = beside ? table_cell_find(view, row, beside).measured : NAN;
    char label[2 * TABLE_TEXT_BYTES + 4], escaped[4 * TABLE_TEXT_BYTES], last[32] = "";
    /* Far below a thousandth of the size of the mesh there is nothing to see, and rounding to compare. */
    if (cell.state != TABLE_CELL_MEASURED || isnan(cell.published) || cell.published < 0.05)
        return;
    snprintf(label, sizeof label, "%s, %s", row->name, column->title);
    figure_text(label, escaped, sizeof escaped);
    if (!isnan(other))
        snprintf(last, sizeof last, "%.17g", other);
    fprintf(plot->data, "%d\t%s\t%.17g\t%.17g\t%s\n", plot->count++, escaped, cell.published, cell.measured,
            last);
    span_add(plot, cell.published);
    span_add(plot, cell.measured);
    span_add(plot, other);
}

static void points_draw(Plot *plot, const TableView *view, const TableRow *row, bool row_named)
{
    (void)row_named;
    for (int i = 0; i < view->table->figure.point_count; i++)
        points_line(plot, view, row, &view->table->figure.points[i]);
}

static void points_settings(const Plot *plot, const TableView *view, const char *name, char *more,
                            size_t size)
{
    const TableFigure *figure = &view->table->figure;
    char title[256], beside[256];
    (void)name;
    figure_text(figure->title, title, sizeof title);
    figure_text(figure->beside_title, beside, sizeof beside);
    snprintf(more, size, "rows=%d; lowest=%.6g; highest=%.6g; measured_title='%s'; beside_title='%s'",
             plot->count, plot->lowest / 1.3, plot->highest * 1.3, title, beside);
}

/* ---- all kinds ---- */

static const struct {
    const char *script; /* under scripts/plots */
    /* Draws a row; row_named: among others. */
    void (*draw)(Plot *plot, const TableView *view, const TableRow *row, bool row_named);
    void (*settings)(const Plot *plot, const TableView *view, const char *name, char *more, size_t size);
} figures[] = {
    [FIGURE_CURVES] = {"curves", curves_draw, curves_settings},
    [FIGURE_ITERATIONS] = {"iterations", descent_draw, iterations_settings},
    [FIGURE_PUBLISHED] = {"published", points_draw, points_settings},
};

/* The row alone, or all: those of a paper for what is compared with it, of curves those that are drawn together. */
static void rows_draw(Plot *plot, const TableView *view, const TableRow *row)
{
    const PublishedTable *table = view->table;
    const FigureKind kind = table->figure.kind;
    for (int r = 0; r < (kind == FIGURE_PUBLISHED ? table->paper_row_count : table->row_count); r++) {
        const TableRow *each = &table->rows[r];
        if (row ? each == row : each->drawn || kind != FIGURE_CURVES)
            figures[kind].draw(plot, view, each, !row);
    }
}

Status figure_table(const TableView *view, const TableRow *row, const char *folder, const char *name,
                    bool *drawn)
{
    const FigureKind kind = view->table->figure.kind;
    Plot plot = {.lowest = INFINITY};
    char rings[FIGURE_NAME_BYTES + 8], more[NAMES_BYTES + 2048], heading[1024];
    Status status = status_ok();
    *drawn = false;
    if (kind == FIGURE_NONE)
        return status;
    snprintf(rings, sizeof rings, "%s-rings", name);
    STATUS_TRY(report_file_open(folder, name, "tsv", &plot.data));
    if (kind == FIGURE_ITERATIONS)
        status = report_file_open(folder, rings, "tsv", &plot.rings);
    if (status.code == STATUS_OK)
        rows_draw(&plot, view, row);
    STATUS_TRY(report_file_close(plot.data, name, report_file_close(plot.rings, rings, status)));
    if (plot.count > 0) {
        figures[kind].settings(&plot, view, name, more, sizeof more);
        if (kind == FIGURE_PUBLISHED)
            snprintf(heading, sizeof heading, "%s, published and measured", view->table->place);
        else
            snprintf(heading, sizeof heading, "%s%s%s (%s)", view->table->title, row ? ": " : "",
                     row ? row->name : "", view->table->place);
        status = figure_draw(figures[kind].script, folder, name, heading, more, drawn);
    }
done:
    return status;
}

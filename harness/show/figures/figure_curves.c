/* Draws the curves of studies. Curves that coincide are drawn as one line and named together. Published
 * points are drawn as rings, bounds as lines. */
#include "harness/show/figures/figures.h"

/* Curves that differ by less than this fraction of the axis length count as coinciding, because a reader
 * cannot tell them apart. */
static const double COINCIDE_SHARE = 0.004;

typedef struct PlotCurve {
    const Measure *xs, *ys;
    const Record *record;
    char label[2 * TABLE_TEXT_BYTES + 4];
    int like; /* index of the earlier curve that this curve coincides with; its own index if there is none */
} PlotCurve;

typedef struct CurvePlot {
    PlotCurve *curves; /* [PLOT_SERIES_MAX] */
    int count, ring_count;
    PlotSpan x, y;
    bool x_log, y_log;
} CurvePlot;

/* Adds all curves of a row. If the figure shows all rows, the name of a curve contains the row. If it shows
 * several curves per row, the name also contains the curve's own name. */
static void row_add(CurvePlot *plot, const FigureRequest *request, const TableRow *row)
{
    const TableFigure *figure = request->figure;
    const TableView *view = request->view;
    const bool row_named = !request->row, curve_named = figure->curve_count > 1 || !row_named;
    for (int i = 0; i < figure->curve_count; i++) {
        const FigureCurve *curve = &figure->curves[i];
        /* use the record of the table's first column that has a record with this curve */
        const Record *record = NULL;
        for (int c = 0; c < view->table->column_count && !record_curve(record, curve->y); c++)
            record = table_cell_find(view, row, &view->table->columns[c]).record;
        const Measure *xs = record_curve(record, curve->x[0] ? curve->x : figure->x),
                      *ys = record_curve(record, curve->y);
        if (!xs || !ys || xs->count == 0 || ys->count != xs->count || plot->count == PLOT_SERIES_MAX)
            continue;
        PlotCurve *added = &plot->curves[plot->count++];
        *added = (PlotCurve){.xs = xs, .ys = ys, .record = record};
        const char *name = curve->title[0] ? curve->title : curve->y;
        snprintf(added->label, sizeof added->label, "%s%s%s", row_named ? row->name : "",
                 row_named && curve_named ? ": " : "", curve_named ? name : "");
        for (int k = 0; k < xs->count; k++)
            if (!isnan(xs->curve[k]) && !isnan(ys->curve[k])) {
                plot_span_add(&plot->x, xs->curve[k]);
                plot_span_add(&plot->y, ys->curve[k]);
            }
    }
}

/* Returns the position of a value on its axis, 0 to 1. */
static double place_of(double value, const PlotSpan *span, bool logarithmic)
{
    return logarithmic ? log(value / span->lowest) / log(span->highest / span->lowest)
                       : (value - span->lowest) / (span->highest - span->lowest);
}

static bool curves_coincide(const CurvePlot *plot, const PlotCurve *a, const PlotCurve *b)
{
    if (a->xs->count != b->xs->count)
        return false;
    for (int i = 0; i < a->xs->count; i++) {
        const bool gap = isnan(a->xs->curve[i] + a->ys->curve[i]);
        if (gap != (isnan(b->xs->curve[i] + b->ys->curve[i]) != 0))
            return false;
        if (!gap && !(fabs(place_of(a->xs->curve[i], &plot->x, plot->x_log) -
                           place_of(b->xs->curve[i], &plot->x, plot->x_log)) <= COINCIDE_SHARE &&
                      fabs(place_of(a->ys->curve[i], &plot->y, plot->y_log) -
                           place_of(b->ys->curve[i], &plot->y, plot->y_log)) <= COINCIDE_SHARE))
            return false;
    }
    return true;
}

static Status curves_write(CurvePlot *plot, const FigureRequest *request)
{
    const PublishedTable *table = request->view->table;
    const TableFigure *figure = request->figure;
    PlotFile *data = NULL, *rings = NULL;
    PagePlots *plots = request->out->plots;
    for (int r = 0; r < table->row_count; r++)
        if (request->row ? &table->rows[r] == request->row : table->rows[r].drawn)
            row_add(plot, request, &table->rows[r]);
    for (int i = 0; i < figure->bound_count; i++)
        plot_span_add(&plot->y, figure->bounds[i].value);
    plot->x_log = strchr(figure->log, 'x') || plot_span_is_wide(&plot->x);
    plot->y_log = strchr(figure->log, 'y') || plot_span_is_wide(&plot->y);
    /* find coinciding curves */
    for (int i = 0; i < plot->count; i++) {
        plot->curves[i].like = i;
        for (int k = 0; k < i && plot->curves[i].like == i; k++)
            if (plot->curves[k].like == k && curves_coincide(plot, &plot->curves[k], &plot->curves[i]))
                plot->curves[i].like = k;
    }
    /* add the curves and the published bounds to the interactive plot; curves that coincide are one series
     * with the names of all */
    char record_text[RECORD_NAME_BYTES];
    page_plot_start(plots, request->out->name, request->heading, PLOT_LINES,
                    (PlotAxis){figure->x_title, plot->x_log}, (PlotAxis){figure->y_title, plot->y_log});
    for (int c = 0; c < plot->count; c++) {
        const PlotCurve *curve = &plot->curves[c];
        const char *record = record_name(request->view->records, curve->record, record_text);
        char label[1024] = "";
        if (curve->like != c)
            continue;
        for (int k = c; k < plot->count; k++)
            if (plot->curves[k].like == c)
                text_append(label, sizeof label, "%s%s", k > c ? " = " : "", plot->curves[k].label);
        page_plot_series(plots, label, false);
        for (int i = 0; i < curve->xs->count; i++)
            page_plot_point(plots, curve->xs->curve[i], curve->ys->curve[i], "", record);
    }
    for (int i = 0; i < figure->bound_count; i++) {
        page_plot_series(plots, figure->bounds[i].title, true);
        page_plot_point(plots, plot->x.lowest, figure->bounds[i].value, "", "");
        page_plot_point(plots, plot->x.highest, figure->bounds[i].value, "", "");
    }
    /* Write the curves. A curve that coincides with an earlier one is not drawn, so it comes last. */
    STATUS_TRY(figure_part_open(request->out, FIGURE_DATA, &data));
    plot_print(data, "# x\ty\tcurve\n");
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < plot->count; i++) {
            const PlotCurve *curve = &plot->curves[i];
            if ((curve->like == i) != (pass == 0))
                continue;
            for (int k = 0; k < curve->xs->count; k++)
                if (isnan(curve->xs->curve[k]) || isnan(curve->ys->curve[k]))
                    plot_print(data, "\n"); /* a gap */
                else
                    plot_print(data, "%.17g\t%.17g\t%s\n", curve->xs->curve[k], curve->ys->curve[k],
                               curve->label);
            plot_print(data, "\n\n");
        }
    STATUS_TRY(figure_part_close(request->out, FIGURE_DATA));
    /* write the published points */
    if (figure->point_count == 0)
        return status_ok();
    STATUS_TRY(figure_part_open(request->out, FIGURE_RINGS, &rings));
    plot_print(rings, "# x\ty\trow\n");
    for (int r = 0; r < table->row_count; r++)
        if (request->row ? &table->rows[r] == request->row : table->rows[r].drawn) {
            const TableRow *row = &table->rows[r];
            for (int i = 0; i < request->figure->point_count; i++) {
                const FigurePoints *points = &request->figure->points[i];
                const TableColumn *y = table_column_find(table, points->column),
                                  *x = table_column_find(table, points->against);
                const double x_value = x ? table_published(table, row, x) : NAN,
                             value = y ? table_published(table, row, y) : NAN;
                if (isnan(x_value) || isnan(value))
                    continue;
                plot_print(rings, "%.17g\t%.17g\t%s\n", x_value, value, row->name);
                page_plot_series(plots, "published", true);
                page_plot_point(plots, x_value, value, row->name, "");
                plot->ring_count++;
            }
        }
    return figure_part_close(request->out, FIGURE_RINGS);
}

Status figure_of_curves(const FigureRequest *request)
{
    LOCAL_ARRAY(PlotCurve, curves, PLOT_SERIES_MAX, "a figure");
    CurvePlot plot = {.curves = curves, .x = plot_span_none(), .y = plot_span_none()};
    /* the data */
    STATUS_TRY(curves_write(&plot, request));
    if (plot.count == 0)
        return status_ok();
    /* Write the entries of the key: each drawn curve, followed by the curves that coincide with it. gnuplot
     * gets four lists, with one element for each entry: its name, the block from which it is drawn, the
     * distance between its marks, and whether the curve is only named. */
    enum { NAMES, BLOCKS, STEPS, NAMED, LISTS };
    static const char *const lists[LISTS] = {
        [NAMES] = "names", [BLOCKS] = "blocks", [STEPS] = "steps", [NAMED] = "named"};
    const TableFigure *figure = request->figure;
    char label[2 * TABLE_TEXT_BYTES + 8], rings[FIGURE_NAME_BYTES];
    PlotFile *program = NULL;
    STATUS_TRY(figure_program_start(request->out, request->heading, &program));
    plot_print(program, "curves=%d", plot.count);
    for (int list = 0; list < LISTS; list++) {
        plot_print(program, "; %s='", lists[list]);
        for (int i = 0, block = -1; i < plot.count; i++) {
            if (plot.curves[i].like != i)
                continue;
            block++;
            for (int k = i; k < plot.count; k++) {
                if (plot.curves[k].like != i)
                    continue;
                snprintf(label, sizeof label, "%s%s", k == i ? "" : "= ", plot.curves[k].label);
                const double numbers[LISTS] = {[BLOCKS] = block,
                                               [STEPS] = fmax(1.0, floor(plot.curves[i].xs->count / 7.0)),
                                               [NAMED] = k != i};
                if (list == NAMES)
                    plot_name_add(program, label);
                else
                    plot_number_add(program, numbers[list]);
            }
        }
        plot_print(program, "'");
    }
    plot_print(program, "; bound_names='");
    for (int i = 0; i < figure->bound_count; i++)
        plot_name_add(program, figure->bounds[i].title);
    plot_print(program, "'; bound_values='");
    for (int i = 0; i < figure->bound_count; i++)
        plot_number_add(program, figure->bounds[i].value);
    figure_part_name(request->out->number, FIGURE_RINGS, rings);
    plot_print(program,
               "'; x_title='%s'; y_title='%s'; logarithmic='%s%s'; bounds=%d; rings=%d; rings_data='%s.tsv'",
               figure->x_title, figure->y_title, plot.x_log ? "x" : "", plot.y_log ? "y" : "",
               figure->bound_count, plot.ring_count, plot.ring_count > 0 ? rings : "");
    return figure_program_end(request->out, "curves");
}

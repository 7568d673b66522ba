/* Curves of studies. Coinciding curves share a line and are named together; published points are drawn as
 * rings, bounds as lines. */
#include "harness/show/figures/figure_plot.h"

/* Share of the axis below which a reader cannot tell two lines apart. */
static const double COINCIDE_SHARE = 0.004;

typedef struct PlotCurve {
    const Measure *xs, *ys;
    const Record *record;
    char label[2 * TABLE_TEXT_BYTES + 4];
    int like; /* index of the earlier curve that it coincides with, or its own */
} PlotCurve;

typedef struct CurvePlot {
    PlotCurve *curves; /* [PLOT_SERIES_MAX] */
    int count, ring_count;
    PlotSpan x, y;
    bool x_log, y_log;
} CurvePlot;

/* Adds all curves of a row, named after the row, the curve, or both if there are several of each. */
static void row_add(CurvePlot *plot, const FigureRequest *request, const TableRow *row)
{
    const TableFigure *figure = request->figure;
    const TableView *view = request->view;
    const bool row_named = !request->row, curve_named = figure->curve_count > 1 || !row_named;
    for (int i = 0; i < figure->curve_count; i++) {
        const FigureCurve *curve = &figure->curves[i];
        /* take it from the first column of the table whose record has it */
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

/* Writes one block of x, y and the curve's name; points without x or y become gaps. */
static void curve_write(FILE *data, const PlotCurve *curve)
{
    char label[2 * sizeof curve->label];
    (void)text_escape(label, sizeof label, curve->label);
    for (int i = 0; i < curve->xs->count; i++)
        if (isnan(curve->xs->curve[i]) || isnan(curve->ys->curve[i]))
            fprintf(data, "\n");
        else
            fprintf(data, "%.17g\t%.17g\t%s\n", curve->xs->curve[i], curve->ys->curve[i], label);
    fprintf(data, "\n\n");
}

static Status curves_write(CurvePlot *plot, const FigureRequest *request)
{
    const PublishedTable *table = request->view->table;
    const TableFigure *figure = request->figure;
    char rings_name[FIGURE_NAME_BYTES + 8];
    FILE *data = NULL, *rings = NULL;
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
    /* plot all curves on the page, and the published bounds */
    char record_text[RECORD_NAME_BYTES];
    page_plot_start(request->plots, request->name, request->heading, PLOT_LINES,
                    (PlotAxis){figure->x_title, plot->x_log}, (PlotAxis){figure->y_title, plot->y_log});
    for (int c = 0; c < plot->count; c++) {
        const PlotCurve *curve = &plot->curves[c];
        const char *record = record_name(request->view->records, curve->record, record_text);
        page_plot_series(request->plots, curve->label, false);
        for (int i = 0; i < curve->xs->count; i++)
            page_plot_point(request->plots, curve->xs->curve[i], curve->ys->curve[i], "", record);
    }
    for (int i = 0; i < figure->bound_count; i++) {
        page_plot_series(request->plots, figure->bounds[i].title, true);
        page_plot_point(request->plots, plot->x.lowest, figure->bounds[i].value, "", "");
        page_plot_point(request->plots, plot->x.highest, figure->bounds[i].value, "", "");
    }
    /* write the curves; those that coincide with others are not drawn and come last */
    STATUS_TRY(report_file_open(request->folder, request->name, "tsv", &data));
    fputs("# x\ty\tcurve\n", data);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < plot->count; i++)
            if ((plot->curves[i].like == i) == (pass == 0))
                curve_write(data, &plot->curves[i]);
    STATUS_TRY(report_file_close(data, request->name, status_ok()));
    /* write the published points */
    if (figure->point_count == 0)
        return status_ok();
    snprintf(rings_name, sizeof rings_name, "%s-rings", request->name);
    STATUS_TRY(report_file_open(request->folder, rings_name, "tsv", &rings));
    fputs("# x\ty\trow\n", rings);
    for (int r = 0; r < table->row_count; r++)
        if (request->row ? &table->rows[r] == request->row : table->rows[r].drawn) {
            const TableRow *row = &table->rows[r];
            for (int i = 0; i < request->figure->point_count; i++) {
                const FigurePoints *points = &request->figure->points[i];
                const TableColumn *y = table_column_find(table, points->column),
                                  *x = table_column_find(table, points->against);
                const double at = x ? table_published(table, row, x) : NAN,
                             value = y ? table_published(table, row, y) : NAN;
                char name[512];
                if (isnan(at) || isnan(value))
                    continue;
                (void)text_escape(name, sizeof name, row->name);
                fprintf(rings, "%.17g\t%.17g\t%s\n", at, value, name);
                page_plot_series(request->plots, "published", true);
                page_plot_point(request->plots, at, value, row->name, "");
                plot->ring_count++;
            }
        }
    return report_file_close(rings, rings_name, status_ok());
}

Status figure_of_curves(const FigureRequest *request, bool *drawn)
{
    LOCAL_ARRAY(PlotCurve, curves, PLOT_SERIES_MAX, "a figure");
    CurvePlot plot = {.curves = curves, .x = plot_span_none(), .y = plot_span_none()};
    /* the data */
    STATUS_TRY(curves_write(&plot, request));
    if (plot.count == 0)
        return status_ok();
    /* List the entries of the key: each curve, followed by those that coincide with it. For each entry the
     * settings name its block, its style, the distance of its marks, and whether it is only named. */
    const TableFigure *figure = request->figure;
    char names[PLOT_NAMES_BYTES] = "", blocks[PLOT_NAMES_BYTES] = "", steps[PLOT_NAMES_BYTES] = "",
         named[PLOT_NAMES_BYTES] = "", bounds[PLOT_NAMES_BYTES] = "", values[PLOT_NAMES_BYTES] = "";
    char label[2 * TABLE_TEXT_BYTES + 8], x_title[256], y_title[256];
    for (int i = 0, block = -1; i < plot.count; i++) {
        if (plot.curves[i].like != i)
            continue;
        block++;
        for (int k = i; k < plot.count; k++) {
            if (plot.curves[k].like != i)
                continue;
            snprintf(label, sizeof label, "%s%s", k == i ? "" : "= ", plot.curves[k].label);
            plot_name_add(names, label);
            plot_number_add(blocks, block);
            plot_number_add(steps, fmax(1.0, floor(plot.curves[i].xs->count / 7.0)));
            plot_number_add(named, k != i);
        }
    }
    for (int i = 0; i < figure->bound_count; i++) {
        plot_name_add(bounds, figure->bounds[i].title);
        plot_number_add(values, figure->bounds[i].value);
    }
    figure_text(figure->x_title, x_title, sizeof x_title);
    figure_text(figure->y_title, y_title, sizeof y_title);
    return figure_prepare(
        "curves", request->folder, request->name, request->heading, drawn,
        "curves=%d; names='%s'; blocks='%s'; steps='%s'; named='%s'; x_title='%s'; y_title='%s'; "
        "logarithmic='%s%s'; bounds=%d; bound_names='%s'; bound_values='%s'; rings=%d; rings_data='%s%s.tsv'",
        plot.count, names, blocks, steps, named, x_title, y_title, plot.x_log ? "x" : "",
        plot.y_log ? "y" : "", figure->bound_count, bounds, values, plot.ring_count, request->name,
        plot.ring_count > 0 ? "-rings" : "");
}

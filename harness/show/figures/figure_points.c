/* Draws published and measured numbers together, either on lines by row and method or as a scatter plot of
 * two columns. Every published number is drawn, even if its data set is not available. */
#include "harness/show/figures/figures.h"

typedef struct PointPlot {
    PlotFile *data;
    PlotSpan x, y;
    int published_count, beside_count;
    int measured_count[TABLE_LIST_MAX]; /* by series */
} PointPlot;

static double measured_of(const TableView *view, const TableRow *row, const char *name)
{
    const TableColumn *column = table_column_find(view->table, name);
    const TableCell cell = column ? table_cell_find(view, row, column) : (TableCell){.measured.value = NAN};
    return cell.measured.value > 0.0 ? cell.measured.value : NAN;
}

static double published_of(const TableView *view, const TableRow *row, const char *name)
{
    const TableColumn *column = table_column_find(view->table, name);
    const double value = column ? table_published(view->table, row, column) : NAN;
    return value > 0.0 ? value : NAN;
}

/* Adds a point for a row to the page's plot. The point shows either the published or the measured number of
 * a column. */
static void page_point(const FigureRequest *request, const TableRow *row, const char *column_name,
                       const char *series, bool published, double x, double y)
{
    const TableColumn *column = table_column_find(request->view->table, column_name);
    const Record *record = !published && column ? table_cell_find(request->view, row, column).record : NULL;
    char name[RECORD_NAME_BYTES], title[2 * TABLE_TEXT_BYTES];
    snprintf(title, sizeof title, "%s%s", series, published ? ", published" : "");
    page_plot_series(request->out->plots, title, published);
    page_plot_point(request->out->plots, x, y, row->name, record_name(request->view->records, record, name));
}

static const char *points_title(const FigureRequest *request, const FigurePoints *points)
{
    const TableColumn *column = table_column_find(request->view->table, points->column);
    return points->title[0] ? points->title : column ? column->title : "";
}

static void series_titles(const FigureRequest *request, PlotFile *program)
{
    for (int s = 0; s < request->figure->point_count; s++)
        plot_name_add(program, points_title(request, &request->figure->points[s]));
}

/* ---- numbers on lines ---- */

Status figure_of_published(const FigureRequest *request)
{
    const PublishedTable *table = request->view->table;
    const TableFigure *figure = request->figure;
    PointPlot plot = {.x = plot_span_none(), .y = plot_span_none()};
    PlotFile *program = NULL;
    STATUS_TRY(figure_part_open(request->out, FIGURE_DATA, &plot.data));
    plot_print(plot.data, "# place\tpublished\tmeasured\tbeside\trow\tcolumn\n");
    page_plot_start(request->out->plots, request->out->name, request->heading, PLOT_POINTS,
                    (PlotAxis){"", false}, (PlotAxis){"E_RMS", true});
    for (int s = 0; s < figure->point_count; s++) {
        /* write one block per series: position, published number, measured number, and a second measured
         * number */
        const FigurePoints *points = &request->figure->points[s];
        for (int r = 0; r < table->paper_row_count; r++) {
            const TableRow *row = &table->rows[r];
            const double published = published_of(request->view, row, points->column),
                         measured = measured_of(request->view, row, points->column),
                         beside = measured_of(request->view, row, points->beside);
            char name[512];
            plot_print(plot.data, "%d\t%.17g\t%.17g\t%.17g\t%s\t%s\n",
                       r * (request->figure->point_count + 1) + s, published, measured, beside, row->name,
                       points->column);
            const int slot = page_plot_name(request->out->plots, row->name);
            const char *title = points_title(request, points);
            page_point(request, row, points->column, title, true, slot, published);
            page_point(request, row, points->column, title, false, slot, measured);
            snprintf(name, sizeof name, "%s, %s", title, request->figure->beside_title);
            page_point(request, row, points->beside, name, false, slot, beside);
            plot_span_add(&plot.x, published);
            plot_span_add(&plot.x, measured);
            plot_span_add(&plot.x, beside);
            plot.published_count += !isnan(published);
            plot.measured_count[s] += !isnan(measured);
            plot.beside_count += !isnan(beside);
        }
        plot_print(plot.data, "\n\n");
    }
    STATUS_TRY(figure_part_close(request->out, FIGURE_DATA));
    if (plot.published_count == 0)
        return status_ok();
    /* write the settings of the drawing */
    int measured_count = 0;
    for (int s = 0; s < figure->point_count; s++)
        measured_count += plot.measured_count[s];
    STATUS_TRY(figure_program_start(request->out, request->heading, &program));
    plot_print(
        program,
        "rows=%d; series=%d; lowest=%.6g; highest=%.6g; measured_title='%s'; beside_title='%s'; labels='",
        table->paper_row_count, figure->point_count, plot.x.lowest / 1.3, plot.x.highest * 1.3,
        measured_count > 0 ? figure->title : "", plot.beside_count > 0 ? figure->beside_title : "");
    for (int r = 0; r < table->paper_row_count; r++)
        plot_name_add(program, table->rows[r].name);
    plot_print(program, "'; names='");
    series_titles(request, program);
    plot_print(program, "'");
    return figure_program_end(request->out, "published");
}

/* ---- scatter plot ---- */

Status figure_of_scatter(const FigureRequest *request)
{
    const TableFigure *figure = request->figure;
    PointPlot plot = {.x = plot_span_none(), .y = plot_span_none()};
    PlotFile *program = NULL;
    int measured = 0;
    STATUS_TRY(figure_part_open(request->out, FIGURE_DATA, &plot.data));
    plot_print(plot.data, "# x\ty\trow\tcolumn\tsource\n");
    page_plot_start(request->out->plots, request->out->name, request->heading, PLOT_POINTS,
                    (PlotAxis){figure->x_title, true}, (PlotAxis){figure->y_title, true});
    for (int s = 0; s < figure->point_count; s++) {
        /* Write two blocks for each series. The first has the published x and y of each point; the second
         * has the measured x, y and label. */
        const FigurePoints *points = &request->figure->points[s];
        const PublishedTable *table = request->view->table;
        for (int pass = 0; pass < 2; pass++) {
            for (int r = 0; r < (pass == 0 ? table->paper_row_count : table->row_count); r++) {
                const TableRow *row = &table->rows[r];
                double (*reader)(const TableView *, const TableRow *, const char *) =
                    pass == 0 ? published_of : measured_of;
                const double x = reader(request->view, row, points->against),
                             y = reader(request->view, row, points->column);
                if (isnan(x) || isnan(y) || (request->row && request->row != row))
                    continue;
                page_point(request, row, points->column, points_title(request, points), pass == 0, x, y);
                plot_print(plot.data, "%.17g\t%.17g\t%s\t%s\t%s\n", x, y, row->name, points->column,
                           pass == 0 ? "published" : "measured");
                plot_span_add(&plot.x, x);
                plot_span_add(&plot.y, y);
                plot.published_count += pass == 0;
                plot.measured_count[s] += pass == 1;
            }
            plot_print(plot.data, "NaN\tNaN\t\n\n\n"); /* write a point that is not drawn, because gnuplot
                                                          would ignore an empty block */
        }
    }
    STATUS_TRY(figure_part_close(request->out, FIGURE_DATA));
    for (int s = 0; s < figure->point_count; s++)
        measured += plot.measured_count[s];
    if (measured == 0)
        return status_ok();
    STATUS_TRY(figure_program_start(request->out, request->heading, &program));
    plot_print(program, "series=%d; published=%d; x_title='%s'; y_title='%s'; logarithmic='%s%s'; names='",
               figure->point_count, plot.published_count, figure->x_title, figure->y_title,
               plot_span_is_wide(&plot.x) ? "x" : "", plot_span_is_wide(&plot.y) ? "y" : "");
    series_titles(request, program);
    plot_print(program, "'; counts='");
    for (int s = 0; s < figure->point_count; s++)
        plot_number_add(program, plot.measured_count[s]);
    plot_print(program, "'");
    return figure_program_end(request->out, "scatter");
}

/* Draws the E_RMS of fits against their iterations, or against the end times of their stages. Curves are
 * named at their ends; rings show published values. */
#include "datasets/io/stream.h"
#include "harness/show/figures/figures.h"

enum { DESCENTS_MAX = 24 };

typedef struct DescentPlot {
    PlotFile *data, *rings;
    PagePlots *plots;
    int count;
    bool by_time; /* whether the end times of stages are drawn instead of iterations */
    const char *names[DESCENTS_MAX];
    double top, first, last, ends[DESCENTS_MAX];
} DescentPlot;

/* Draws the curve of a row's fit. Published values are rings in the curve's colour, or in grey if the fit
 * was not run. */
static void descent_draw(DescentPlot *plot, const TableView *view, const TableRow *row)
{
    const TableColumn *column = &view->table->columns[0];
    TableCell cell = table_cell_find(view, row, column);
    const FitFacts *fit = cell.record ? &cell.record->fit : NULL;
    const DescentPoint *points = !fit ? NULL : plot->by_time ? fit->stages : fit->descent;
    const int count = !fit ? 0 : plot->by_time ? fit->stage_count : fit->descent_count;
    const bool run = count >= 2 && plot->count < DESCENTS_MAX;
    double last = 0.0;
    char name[RECORD_NAME_BYTES];
    if (!isnan(cell.published)) {
        page_plot_series(plot->plots, "published", true);
        page_plot_point(plot->plots, column->iteration, cell.published, row->name, "");
        plot_print(plot->rings, "%d\t%.17g\t%d\t%s\n", column->iteration, cell.published,
                   run ? plot->count : -1, run ? "" : row->name);
        plot->top = fmax(plot->top, cell.published);
    }
    if (!run)
        return;
    page_plot_series(plot->plots, row->name, false);
    const char *record = record_name(view->records, cell.record, name);
    for (int i = 0; i < count; i++) {
        const DescentPoint *point = &points[i];
        if (point->iteration < 1 || isnan(point->e_rms))
            continue;
        const double x = plot->by_time ? point->elapsed_s : point->iteration;
        page_plot_point(plot->plots, x, point->e_rms, row->name, record);
        plot_print(plot->data, "%.9g\t%.17g\t%s\t%d\n", x, point->e_rms, row->name, i == count - 1);
        plot->top = fmax(plot->top, point->e_rms);
        plot->first = fmin(plot->first, x);
        plot->last = fmax(plot->last, x);
        last = point->e_rms;
    }
    plot_print(plot->data, "\n\n");
    plot->names[plot->count] = row->name;
    plot->ends[plot->count++] = last;
}

Status figure_of_iterations(const FigureRequest *request)
{
    const PublishedTable *table = request->view->table;
    PlotFile *program = NULL;
    char rings_name[FIGURE_NAME_BYTES];
    const bool by_time = request->figure->kind == FIGURE_STAGES;
    DescentPlot plot = {.by_time = by_time,
                        .first = by_time ? INFINITY : 1.0,
                        .last = by_time ? 0.0 : 1.0,
                        .plots = request->out->plots};
    STATUS_TRY(figure_part_open(request->out, FIGURE_DATA, &plot.data));
    STATUS_TRY(figure_part_open(request->out, FIGURE_RINGS, &plot.rings));
    plot_print(plot.data, "# %s\tE_RMS\trow\t1 for the last point\n", by_time ? "seconds" : "iteration");
    plot_print(plot.rings, "# iteration\tpublished E_RMS\tcurve\trow that was not run\n");
    page_plot_start(plot.plots, request->out->name, request->heading, PLOT_LINES,
                    (PlotAxis){request->figure->x_title, true}, (PlotAxis){"E_RMS", false});
    for (int r = 0; r < table->row_count; r++)
        if (!request->row || request->row == &table->rows[r])
            descent_draw(&plot, request->view, &table->rows[r]);
    STATUS_TRY(figure_part_close(request->out, FIGURE_RINGS));
    STATUS_TRY(figure_part_close(request->out, FIGURE_DATA));
    if (plot.count == 0)
        return status_ok();
    /* Keep the names at the ends of the curves from overlapping. From the lowest name to the highest, raise
     * each name until it is one line above the name below it. gnuplot gets the shifts as a list of
     * words. */
    double places[DESCENTS_MAX], distance = 0.055 * plot.top;
    int order[DESCENTS_MAX];
    for (int i = 0; i < plot.count; i++) {
        int k = i;
        for (; k > 0 && plot.ends[order[k - 1]] > plot.ends[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < plot.count; k++) {
        places[order[k]] = plot.ends[order[k]];
        if (k > 0)
            places[order[k]] = fmax(places[order[k]], places[order[k - 1]] + distance);
    }
    figure_part_name(request->out->number, FIGURE_RINGS, rings_name);
    STATUS_TRY(figure_program_start(request->out, request->heading, &program));
    plot_print(program,
               "rings='%s.tsv'; curves=%d; by_time=%d; first=%g; last=%g; top=%g; x_title='%s'; "
               "rings_title='printed in %s'; names='",
               rings_name, plot.count, by_time, plot.first, plot.last, 1.05 * plot.top,
               request->figure->x_title, table->columns[0].place);
    for (int i = 0; i < plot.count; i++)
        plot_name_add(program, plot.names[i]);
    plot_print(program, "'; shifts='");
    for (int i = 0; i < plot.count; i++)
        plot_number_add(program, places[i] - plot.ends[i]);
    plot_print(program, "'");
    return figure_program_end(request->out, "iterations");
}

/* Writes series over commits as blocks for gnuplot: first the medians of commits, then the runs. */
#include "harness/show/figures/figure_history.h"

#include "datasets/io/stream.h"
#include "harness/show/figures/gnuplot.h"

enum { TICKS_MAX = 24 };

/* Writes a number to the data file; gnuplot leaves out a point whose number is NaN. */
static void point_number_write(PlotFile *file, double value, char end)
{
    if (isfinite(value))
        plot_print(file, "%.17g%c", value, end);
    else
        plot_print(file, "NaN%c", end);
}

static Status series_write(PlotFile *file, const History *history, const HistorySeries *series,
                           PlotSpan *span)
{
    LOCAL_ARRAY(double, scratch, series->point_count, "a figure");
    for (int from = 0, to; from < series->point_count; from = to) {
        for (to = from + 1;
             to < series->point_count && series->points[to].commit == series->points[from].commit;)
            to++;
        /* Runs `from` to `to` - 1 belong to the commit. Find their median, and the smallest interval that
         * contains all of their intervals. */
        char label[COMMIT_LABEL_BYTES];
        double low = NAN, high = NAN;
        for (int i = from; i < to; i++) {
            scratch[i - from] = series->points[i].value;
            low = fmin(low, series->points[i].low); /* fmin ignores NAN */
            high = fmax(high, series->points[i].high);
            plot_span_add(span, series->points[i].value);
        }
        history_commit_label(&history->commits[series->points[from].commit], label);
        plot_print(file, "%d\t", series->points[from].commit);
        point_number_write(file, median_sorting(scratch, to - from), '\t');
        point_number_write(file, low, '\t');
        point_number_write(file, high, '\t');
        plot_print(file, "%s\n", label);
    }
    plot_print(file, "\n\n");
    for (int i = 0; i < series->point_count; i++) {
        plot_print(file, "%d\t", series->points[i].commit);
        point_number_write(file, series->points[i].value, '\n');
    }
    plot_print(file, "\n\n");
    return status_ok();
}

Status figure_of_history(const History *history, const HistorySeries *const *series, int count,
                         const char *heading, PlotFigure *out)
{
    char label[COMMIT_LABEL_BYTES];
    PlotFile *file = NULL, *program = NULL;
    PagePlots *plots = out->plots;
    PlotSpan span = plot_span_none();
    const int step = (history->commit_count + TICKS_MAX - 1) / TICKS_MAX;
    STATUS_TRY(figure_part_open(out, FIGURE_DATA, &file));
    plot_print(file, "# commit number\tmedian or value of a run\tinterval low\tinterval high\tcommit\n");
    for (int i = 0; i < count; i++)
        STATUS_TRY(series_write(file, history, series[i], &span));
    STATUS_TRY(figure_part_close(out, FIGURE_DATA));
    /* add the series to the page's plot */
    page_plot_start(plots, out->name, heading, PLOT_LINES, (PlotAxis){"commits, the oldest first", false},
                    (PlotAxis){series[0]->name, plot_span_is_wide(&span)});
    for (int i = 0; i < count; i++) {
        page_plot_series(plots, series[i]->cell, false);
        for (int k = 0; k < series[i]->point_count; k++) {
            const HistoryPoint *point = &series[i]->points[k];
            history_commit_label(&history->commits[point->commit], label);
            page_plot_interval(plots, point->commit, (Interval){point->value, point->low, point->high}, label,
                               "");
        }
    }
    STATUS_TRY(figure_program_start(out, heading, &program));
    plot_print(program, "curves=%d; step=%d; last=%d; logarithmic='%s'; y_title='%s'; names='", count,
               step > 0 ? step : 1, history->commit_count - 1, plot_span_is_wide(&span) ? "y" : "",
               series[0]->name);
    for (int i = 0; i < count; i++)
        plot_name_add(program, series[i]->cell);
    plot_print(program, "'; changes='");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < series[i]->change_count; k++)
            plot_number_add(program, 0.5 * (series[i]->changes[k].last + series[i]->changes[k].first));
    plot_print(program, "'; commits='");
    for (int i = 0; i < history->commit_count; i++) {
        history_commit_label(&history->commits[i], label);
        plot_name_add(program,
                      i % (step > 0 ? step : 1) == 0 ? label : "-"); /* every step-th commit is labelled */
    }
    plot_print(program, "'");
    return figure_program_end(out, "history");
}

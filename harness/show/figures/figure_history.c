/* Writes series over commits as blocks for gnuplot: first the medians of commits, then the runs. */
#include "harness/show/figures/figure_history.h"

#include "datasets/io/stream.h"
#include "harness/show/figures/gnuplot.h"

enum { TICKS_MAX = 24 };

/* Writes a number to the data file; gnuplot skips values that are not numbers. */
static void point_number_write(FILE *file, double value, char end)
{
    if (isfinite(value))
        fprintf(file, "%.17g%c", value, end);
    else
        fprintf(file, "NaN%c", end);
}

static Status series_write(FILE *file, const History *history, const HistorySeries *series, PlotSpan *span)
{
    LOCAL_ARRAY(double, scratch, series->point_count, "a figure");
    for (int from = 0, to; from < series->point_count; from = to) {
        for (to = from + 1;
             to < series->point_count && series->points[to].commit == series->points[from].commit;)
            to++;
        /* for runs from .. to - 1 of the commit, find their median and the envelope of their intervals */
        char label[COMMIT_LABEL_BYTES];
        double low = NAN, high = NAN;
        for (int i = from; i < to; i++) {
            scratch[i - from] = series->points[i].value;
            low = fmin(low, series->points[i].low); /* fmin ignores NAN */
            high = fmax(high, series->points[i].high);
            plot_span_add(span, series->points[i].value);
        }
        history_commit_label(&history->commits[series->points[from].commit], label);
        fprintf(file, "%d\t", series->points[from].commit);
        point_number_write(file, median_sorting(scratch, to - from), '\t');
        point_number_write(file, low, '\t');
        point_number_write(file, high, '\t');
        fprintf(file, "%s\n", label);
    }
    fputs("\n\n", file);
    for (int i = 0; i < series->point_count; i++) {
        fprintf(file, "%d\t", series->points[i].commit);
        point_number_write(file, series->points[i].value, '\n');
    }
    fputs("\n\n", file);
    return status_ok();
}

Status figure_of_history(const History *history, const HistorySeries *const *series, int count,
                         const char *folder, const char *name, const char *heading, PagePlots *plots,
                         bool *drawn)
{
    char names[PLOT_NAMES_BYTES] = "", commits[PLOT_NAMES_BYTES] = "", changes[PLOT_NAMES_BYTES] = "";
    char y_title[256], label[COMMIT_LABEL_BYTES];
    PlotSpan span = plot_span_none();
    const int step = (history->commit_count + TICKS_MAX - 1) / TICKS_MAX;
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(report_file_open(folder, name, "tsv", &file));
    fputs("# commit number\tmedian or value of a run\tinterval low\tinterval high\tcommit\n", file);
    for (int i = 0; i < count; i++)
        STATUS_TRY(series_write(file, history, series[i], &span));
    STATUS_TRY(report_file_close(TAKE(file), name, status_ok()));
    /* add the plot to the page, and list the names for gnuplot */
    page_plot_start(plots, name, heading, PLOT_LINES, (PlotAxis){"commits, the oldest first", false},
                    (PlotAxis){series[0]->name, plot_span_is_wide(&span)});
    for (int i = 0; i < count; i++) {
        page_plot_series(plots, series[i]->cell, false);
        for (int k = 0; k < series[i]->point_count; k++) {
            const HistoryPoint *point = &series[i]->points[k];
            history_commit_label(&history->commits[point->commit], label);
            page_plot_interval(plots, point->commit, (Interval){point->value, point->low, point->high}, label,
                               "");
        }
        plot_name_add(names, series[i]->cell);
        for (int k = 0; k < series[i]->change_count; k++)
            plot_number_add(changes, 0.5 * (series[i]->changes[k].last + series[i]->changes[k].first));
    }
    for (int i = 0; i < history->commit_count; i++) {
        history_commit_label(&history->commits[i], label);
        plot_name_add(commits,
                      i % (step > 0 ? step : 1) == 0 ? label : "-"); /* only these labels are shown */
    }
    figure_text(series[0]->name, y_title, sizeof y_title);
    return figure_prepare(
        "history", folder, name, heading, drawn,
        "curves=%d; names='%s'; changes='%s'; commits='%s'; step=%d; last=%d; y_title='%s'; logarithmic='%s'",
        count, names, changes, commits, step > 0 ? step : 1, history->commit_count - 1, y_title,
        plot_span_is_wide(&span) ? "y" : "");
}

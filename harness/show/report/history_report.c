/* Formats a history: a table of the changes, figures of the series, and a list of the commits. */
#include "harness/show/report/history_report.h"

#include "harness/records/history/change_points.h"
#include "harness/show/report/report.h"
#include "harness/show/report/report_parts.h"

enum { HISTORY_FIGURES_MAX = 24, HISTORY_CURVES_MAX = 6, TICKS_MAX = 24 };

/* ---- the changes in order ---- */

typedef struct ChangeEntry {
    const HistorySeries *series;
    const HistoryChange *change;
    int order; /* index of the change in the order in which changes were found */
} ChangeEntry;

static int change_order(const void *first, const void *second)
{
    const ChangeEntry *a = first, *b = second;
    const bool worse_a = strcmp(history_change_word(a->series, a->change), "worse") == 0;
    const bool worse_b = strcmp(history_change_word(b->series, b->change), "worse") == 0;
    const double size_a = number_change(a->change->before, a->change->after),
                 size_b = number_change(b->change->before, b->change->after);
    if (worse_a != worse_b)
        return worse_a ? -1 : 1;
    if (size_a != size_b)
        return size_a > size_b ? -1 : 1;
    return a->order - b->order;
}

/* Returns all changes, sorted; release with memory_free. NULL if memory runs out. */
static ChangeEntry *changes_sorted(const History *history, int *count)
{
    int all = 0;
    for (int i = 0; i < history->series_count; i++)
        all += history->series[i].change_count;
    ChangeEntry *entries = memory_array((size_t)all, sizeof *entries);
    *count = 0;
    for (int i = 0; entries && i < history->series_count; i++)
        for (int k = 0; k < history->series[i].change_count; k++, *count += 1)
            entries[*count] = (ChangeEntry){&history->series[i], &history->series[i].changes[k], *count};
    if (entries)
        qsort(entries, (size_t)*count, sizeof *entries, change_order);
    return entries;
}

TextTable *history_changes_table(const History *history)
{
    int count = 0;
    OWNED ChangeEntry *entries = changes_sorted(history, &count);
    TextTable *table = text_table_create(
        "Changes over commits", "?change|<cell|?of|before|after|ratio|?last good|?first bad|?machine");
    if (!entries)
        text_table_fail(table);
    for (int i = 0; i < count; i++) {
        const HistorySeries *series = entries[i].series;
        const HistoryChange *change = entries[i].change;
        char last[COMMIT_LABEL_BYTES], first[COMMIT_LABEL_BYTES];
        history_commit_label(&history->commits[change->last], last);
        history_commit_label(&history->commits[change->first], first);
        text_table_row(table, history_change_word(series, change), series->cell, series->name, NULL);
        text_table_number(table, change->before, series->timed ? 4 : 8);
        text_table_number(table, change->after, series->timed ? 4 : 8);
        text_table_number(table, change->after / change->before, series->timed ? 4 : 8);
        text_table_words(table, last, first, series->machine[0] ? series->machine : "an unknown machine",
                         NULL);
    }
    return table;
}

/* ---- the figures ---- */

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
    for (int from = 0, end; from < series->point_count; from = end) {
        for (end = from + 1;
             end < series->point_count && series->points[end].commit == series->points[from].commit;)
            end++;
        /* The commit has the runs `from` to `end` - 1. Find their median, and the interval that contains all
         * of their intervals. */
        char label[COMMIT_LABEL_BYTES];
        double low = NAN, high = NAN;
        for (int i = from; i < end; i++) {
            scratch[i - from] = series->points[i].value;
            low = fmin(low, series->points[i].low); /* fmin ignores NAN */
            high = fmax(high, series->points[i].high);
            plot_span_add(span, series->points[i].value);
        }
        history_commit_label(&history->commits[series->points[from].commit], label);
        plot_print(file, "%d\t", series->points[from].commit);
        point_number_write(file, median_sorting(scratch, end - from), '\t');
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

/* Draws series [count] of one number over the commits (scripts/plots/history.gp), and adds the plot to the
 * page. The data have two blocks for each series: the medians of commits, then the runs. */
static Status figure_of_history(const History *history, const HistorySeries *const *series, int count,
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

/* ---- the parts of the report ---- */

typedef struct HistoryPages {
    const History *history;
    const char *source;
} HistoryPages;

static void section_start(const ReportPage *report, const char *id, const char *title)
{
    markdown_print(report->page, "## %s\n\n", title);
    html_print(report->html, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

static Status changes_write(ReportPage *report, const History *history)
{
    char text[512];
    OWNED_BY(text_table_free) TextTable *table = history_changes_table(history);
    STATUS_TRY(text_table_status(table));
    snprintf(text, sizeof text,
             "An exact number counts as changed if it differs from that of the previous commit by more than "
             "1e-6 of its value. Times vary from run to run, so a change is marked only if the test "
             "E-divisive means (Matteson and James 2014) finds one. It marks at most %g %% of the series "
             "that have no change, so about %.1f of the %d series of times here may be marked by chance.",
             100.0 * CHANGE_SIGNIFICANCE, CHANGE_SIGNIFICANCE * history->timed_count, history->timed_count);
    if (text_table_row_count(table) > 0)
        STATUS_TRY(report_add_table(report, table, "changes", true));
    else
        report_paragraph(report, "Nothing changed.");
    report_paragraph(report, text);
    for (int i = 0; i < history->series_count; i++)
        if (history->series[i].few_before > 0) {
            char few[COMMIT_LABEL_BYTES * 3];
            history_few_text(&history->series[i], few);
            snprintf(text, sizeof text, "Times have %s; the trend is drawn anyway.", few);
            report_paragraph(report, text);
            break;
        }
    return status_ok();
}

/* Writes every number of every series, one row per run. */
static Status history_numbers_write(const ReportPage *report, const History *history)
{
    OWNED_BY(text_table_free)
    TextTable *table =
        text_table_create("Numbers over commits",
                          "<machine|<cell|<digest|<of|<commit|<time|<run|value|interval_low|interval_high");
    for (int i = 0; i < history->series_count; i++)
        for (int k = 0; k < history->series[i].point_count; k++) {
            const HistorySeries *series = &history->series[i];
            const HistoryPoint *point = &series->points[k];
            const HistoryCommit *commit = &history->commits[point->commit];
            text_table_row(table, series->machine, series->cell, series->digest, series->name, commit->commit,
                           commit->time, point->run, NULL);
            text_table_exact(table, point->value);
            text_table_exact(table, point->low);
            text_table_exact(table, point->high);
        }
    return report_add_csv(report, table, "history", "The numbers of all runs");
}

static Status history_write(ReportPage *report, const void *context)
{
    const HistoryPages *pages = context;
    char stamp[TIME_STAMP_BYTES], text[128];
    int left = 0;
    time_stamp(stamp);
    markdown_print(report->page, "# skinbench history\n\nResults of %s, written %s.\n\n", pages->source,
                   stamp);
    STATUS_TRY(index_start(report, pages->source, stamp));
    html_print(report->html,
               "This page shows which numbers changed from commit to commit, separately for each machine.");
    index_main(report);
    section_start(report, "changes", "What changed");
    STATUS_TRY(changes_write(report, pages->history));
    html_print(report->html, "</section>\n");
    section_start(report, "tables", "Over commits");
    const History *history = pages->history;
    int figures = 0, changes = 0, used = 0;
    /* sort the series by their largest change; those without a change come last */
    OWNED ChangeEntry *entries = changes_sorted(history, &changes);
    ALLOCATED(entries, "a history");
    LOCAL_ARRAY(const HistorySeries *, order, history->series_count, "a history");
    LOCAL_ARRAY(bool, taken, history->series_count, "a history");
    for (int i = 0; i < changes; i++)
        if (!taken[entries[i].series - history->series]) {
            taken[entries[i].series - history->series] = true;
            order[used++] = entries[i].series;
        }
    for (int i = 0; i < history->series_count; i++)
        if (!taken[i])
            order[used++] = &history->series[i];
    /* the figures */
    for (int i = 0; i < history->series_count; i++) {
        const HistorySeries *curves[HISTORY_CURVES_MAX];
        char start[64], name[FIGURE_NAME_BYTES], heading[512];
        int count = 0;
        if (!order[i])
            continue;
        const HistorySeries *lead = order[i];
        if (figures == HISTORY_FIGURES_MAX) {
            left += 1;
            continue;
        }
        for (int k = i; k < history->series_count && count < HISTORY_CURVES_MAX; k++)
            if (order[k] && strcmp(lead->name, order[k]->name) == 0 &&
                strcmp(lead->dataset, order[k]->dataset) == 0 &&
                strcmp(lead->machine, order[k]->machine) == 0) {
                curves[count++] = order[k];
                order[k] = NULL;
            }
        snprintf(start, sizeof start, "history-%d-", ++figures);
        file_name_from_text(start, lead->name, name);
        char few[COMMIT_LABEL_BYTES * 3];
        history_few_text(lead, few);
        snprintf(heading, sizeof heading, "%s, %s%s%s", lead->dataset, lead->name, few[0] ? "; " : "", few);
        CLEANUP(figure_clear) PlotFigure figure = report_figure(report, name);
        const Status made = figure_of_history(history, curves, count, heading, &figure);
        STATUS_TRY(report_add_figure(report, made, &figure, heading));
    }
    snprintf(text, sizeof text, "%d more series are only in history.csv.", left);
    if (left > 0)
        report_paragraph(report, text);
    STATUS_TRY(history_numbers_write(report, pages->history));
    OWNED_BY(text_table_free) TextTable *table = text_table_create("Commits", "number|<commit|<time|runs");
    for (int i = 0; i < history->commit_count; i++) {
        const HistoryCommit *commit = &history->commits[i];
        text_table_row(table, NULL);
        text_table_cell(table, "%d", i);
        text_table_cell(table, "%s%s", commit->commit, commit->dirty ? " with uncommitted changes" : "");
        text_table_words(table, commit->time, NULL);
        text_table_cell(table, "%d", commit->runs);
    }
    STATUS_TRY(report_add_table(report, table, "commits", true));
    html_print(report->html, "</section>\n");
    index_end(report);
    return page_data_write(report, NULL, 0, stamp);
}

Status history_report_write(const History *history, const char *source, const char *folder,
                            const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES])
{
    const HistoryPages pages = {history, source};
    return report_folder_write(folder, progress, history_write, &pages, left_out);
}

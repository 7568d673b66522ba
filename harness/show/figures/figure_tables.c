/* The figures that published tables ask for: which kind draws them, and what the kinds share. */
#include "harness/show/figures/figure_plot.h"

#include <math.h>
#include <string.h>

void plot_name_add(char *words, const char *name)
{
    char escaped[512];
    const size_t used = strlen(words);
    figure_text(name, escaped, sizeof escaped);
    snprintf(words + used, PLOT_NAMES_BYTES - used, "\"%s\" ", escaped);
}

void plot_number_add(char *words, double number)
{
    const size_t used = strlen(words);
    snprintf(words + used, PLOT_NAMES_BYTES - used, "%.9g ", number);
}

PlotSpan plot_span_none(void)
{
    return (PlotSpan){INFINITY, -INFINITY};
}

void plot_span_add(PlotSpan *span, double value)
{
    span->lowest = fmin(span->lowest, value);
    span->highest = fmax(span->highest, value);
}

bool plot_span_is_wide(const PlotSpan *span)
{
    return span->lowest > 0.0 && span->highest > 50.0 * span->lowest;
}

Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, const char *folder,
                    const char *name, PagePlots *plots, bool *drawn)
{
    static Status (*const kinds[])(const FigureRequest *request, bool *drawn) = {
        [FIGURE_CURVES] = figure_of_curves,
        [FIGURE_ITERATIONS] = figure_of_iterations,
        [FIGURE_PUBLISHED] = figure_of_published,
        [FIGURE_SCATTER] = figure_of_scatter,
    };
    const PublishedTable *table = view->table;
    char heading[1024];
    *drawn = false;
    if (figure->kind == FIGURE_NONE)
        return status_ok();
    if (figure->kind == FIGURE_PUBLISHED || figure->kind == FIGURE_SCATTER)
        snprintf(heading, sizeof heading, "%s, published and measured", table->place);
    else
        snprintf(heading, sizeof heading, "%s%s%s (%s)", table->title, row ? ": " : "", row ? row->name : "",
                 table->place);
    const FigureRequest request = {view, figure, row, folder, name, heading, plots};
    return kinds[figure->kind](&request, drawn);
}

#include "harness/show/figures/plot_data.h"

#include "harness/show/figures/gnuplot.h"

void plot_name_add(char *words, const char *name)
{
    char escaped[512];
    figure_text(name, escaped, sizeof escaped);
    text_append(words, PLOT_NAMES_BYTES, "\"%s\" ", escaped);
}

void plot_number_add(char *words, double number)
{
    text_append(words, PLOT_NAMES_BYTES, "%.9g ", number);
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

#include "harness/show/figures/plot_data.h"

#include "harness/show/figures/gnuplot.h"
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

/* Words and spans that plots are made of. */
#pragma once

#include "datasets/base/base.h"

enum { PLOT_NAMES_BYTES = 4096 };

/* Appends words to a text [PLOT_NAMES_BYTES] for gnuplot's word(): a name in double quotes; a number. */
void plot_name_add(char *words, const char *name);
void plot_number_add(char *words, double number);

/* The span of what is drawn on an axis. */
typedef struct PlotSpan {
    double lowest, highest; /* lowest > highest: nothing */
} PlotSpan;

PlotSpan plot_span_none(void);
void plot_span_add(PlotSpan *span, double value); /* NAN adds nothing */
/* Whether an axis is logarithmic: all is positive and spans more than 50 times. */
bool plot_span_is_wide(const PlotSpan *span);

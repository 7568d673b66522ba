/* The plots of index.html that its script draws: collected while figures and tables are written, and put as
 * JSON into page/data.js (window.skinbench). A plot takes the place of the figure of the same name. What a
 * paper printed is a series of its own, never mixed with what was measured. */
#pragma once

#include "harness/records/record/timing.h"
#include <jansson.h>

typedef struct PagePlots PagePlots;

typedef enum PlotKind {
    PLOT_POINTS,
    PLOT_LINES,
    PLOT_BOX /* x: the number of a name; a box of all y of a name and series */
} PlotKind;

typedef struct PlotAxis {
    const char *title;
    bool logarithmic;
} PlotAxis;

/* NULL: out of memory, which all functions take; page_plots_status says so. */
PagePlots *page_plots_create(void);
void page_plots_free(PagePlots *plots);

/* Starts a plot; in place of one of the same id. */
void page_plot_start(PagePlots *plots, const char *id, const char *title, PlotKind kind, PlotAxis x,
                     PlotAxis y);
/* The number by which points of the last plot stand at this name on its x axis, which has names from then
 * on. */
int page_plot_name(PagePlots *plots, const char *name);
/* Later points of the last plot are of this series, which may have some already. */
void page_plot_series(PagePlots *plots, const char *name, bool published);
/* A point of that series, of a y with an interval or without; one that is not finite is left out. label: ""
 * for none. record: record_name; "" for none, NULL where memory was out. */
void page_plot_interval(PagePlots *plots, double x, Interval y, const char *label, const char *record);
void page_plot_point(PagePlots *plots, double x, double y, const char *label, const char *record);

Status page_plots_status(const PagePlots *plots);

/* An object of all plots, by id; borrowed. */
json_t *page_plots_json(const PagePlots *plots);

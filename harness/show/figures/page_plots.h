/* The plots that the script of index.html draws. They are collected while figures and tables are written,
 * and stored as JSON in page/data.js (window.skinbench). A plot replaces the figure of the same name.
 * Published numbers form their own series, separate from measured ones. */
#pragma once

#include "harness/records/record/timing.h"
#include <jansson.h>

typedef struct PagePlots PagePlots;

typedef enum PlotKind {
    PLOT_POINTS,
    PLOT_LINES,
    PLOT_BOX /* one box for each name and series, which summarises all their y values; x is the index of the
                name */
} PlotKind;

typedef struct PlotAxis {
    const char *title;
    bool logarithmic;
} PlotAxis;

/* Creates an empty collection of plots. Returns NULL if memory runs out. All functions accept NULL, and
 * page_plots_status then reports the failure. */
PagePlots *page_plots_create(void);
void page_plots_free(PagePlots *plots);

/* Starts a plot; replaces one with the same id. */
void page_plot_start(PagePlots *plots, const char *id, const char *title, PlotKind kind, PlotAxis x,
                     PlotAxis y);
/* Returns the x coordinate for a name in the plot that was started last. The x axis of this plot then shows
 * names. */
int page_plot_name(PagePlots *plots, const char *name);
/* Starts or continues a series of the plot that was started last. Points are always added to the series
 * that was started last. */
void page_plot_series(PagePlots *plots, const char *name, bool published);
/* Add a point to the series that was started last. A point that is not finite is left out. The first
 * function also takes an interval of y. `label` is "" for none. `record` is the name of the point's record
 * (record_name); "" for none, NULL if memory ran out. */
void page_plot_interval(PagePlots *plots, double x, Interval y, const char *label, const char *record);
void page_plot_point(PagePlots *plots, double x, double y, const char *label, const char *record);

Status page_plots_status(const PagePlots *plots);

/* Returns a JSON object with all plots by id; borrowed. */
json_t *page_plots_json(const PagePlots *plots);

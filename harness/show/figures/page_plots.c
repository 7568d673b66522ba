/* Collects plots as the JSON that the page's script reads. */
#include "harness/show/figures/page_plots.h"

#include "datasets/io/json_table.h"

struct PagePlots {
    json_t *plots;         /* JSON object that contains the plots by their ids */
    json_t *plot, *series; /* plot and series that were started last; borrowed, NULL if none */
    bool failed;
};

PagePlots *page_plots_create(void)
{
    PagePlots *plots = memory_array(1, sizeof *plots);
    if (plots)
        plots->plots = json_object();
    if (plots && plots->plots)
        return plots;
    page_plots_free(plots);
    return NULL;
}

void page_plots_free(PagePlots *plots)
{
    if (!plots)
        return;
    json_decref(plots->plots);
    memory_free(plots);
}

static json_t *axis_json(const PlotAxis *axis)
{
    return json_pack("{s:o, s:b}", "title", json_text(axis->title), "log", axis->logarithmic);
}

void page_plot_start(PagePlots *plots, const char *id, const char *title, PlotKind kind, PlotAxis x,
                     PlotAxis y)
{
    static const char *const kinds[] = {[PLOT_POINTS] = "points", [PLOT_LINES] = "lines", [PLOT_BOX] = "box"};
    if (!plots)
        return;
    plots->series = NULL;
    plots->plot = json_pack("{s:o, s:s, s:o, s:o, s:[]}", "title", json_text(title), "kind", kinds[kind], "x",
                            axis_json(&x), "y", axis_json(&y), "series");
    if (json_set(plots->plots, id, plots->plot))
        return;
    plots->plot = NULL;
    plots->failed = true;
}

int page_plot_name(PagePlots *plots, const char *name)
{
    json_t *axis = plots && plots->plot ? json_object_get(plots->plot, "x") : NULL;
    json_t *names = json_object_get(axis, "names"), *text = NULL;
    size_t slot = 0;
    if (axis && !names) {
        names = json_array();
        if (!json_set(axis, "names", names))
            names = NULL;
    }
    json_array_foreach(names, slot, text) if (strcmp(json_string_value(text), name) == 0) return (int)slot;
    if (plots && (!names || json_array_append_new(names, json_text(name)) != 0))
        plots->failed = true;
    return (int)slot;
}

void page_plot_series(PagePlots *plots, const char *name, bool published)
{
    json_t *all = plots && plots->plot ? json_object_get(plots->plot, "series") : NULL, *series = NULL;
    size_t slot = 0;
    if (!plots)
        return;
    json_array_foreach(all, slot, series)
    {
        plots->series = series;
        if (strcmp(json_string_value(json_object_get(series, "name")), name) == 0 &&
            json_is_true(json_object_get(series, "published")) == published)
            return;
    }
    plots->series = json_pack("{s:o, s:b, s:[]}", "name", json_text(name), "published", published, "points");
    if (plots->series && all && json_array_append_new(all, plots->series) == 0)
        return;
    plots->series = NULL;
    plots->failed = true;
}

void page_plot_interval(PagePlots *plots, double x, Interval y, const char *label, const char *record)
{
    json_t *points = plots && plots->series ? json_object_get(plots->series, "points") : NULL;
    if (!plots || !isfinite(x) || !isfinite(y.median))
        return;
    const long failures = memory_failures();
    json_t *object = json_pack("{s:f, s:f}", "x", x, "y", y.median);
    if (isfinite(y.low) && isfinite(y.high) && y.low < y.high) {
        json_set(object, "low", json_real(y.low));
        json_set(object, "high", json_real(y.high));
    }
    if (label[0])
        json_set(object, "label", json_text(label));
    if (record && record[0])
        json_set(object, "record", json_text(record));
    if (json_array_append_new(points, object) != 0 || !record || memory_failures() != failures)
        plots->failed = true;
}

void page_plot_point(PagePlots *plots, double x, double y, const char *label, const char *record)
{
    page_plot_interval(plots, x, (Interval){y, NAN, NAN}, label, record);
}

Status page_plots_status(const PagePlots *plots)
{
    return plots && !plots->failed ? status_ok() : status_out_of_memory("the plots of a page");
}

json_t *page_plots_json(const PagePlots *plots)
{
    return plots->plots;
}

/* Curves that a study found, as the member `figure` of its table asks for. */
#include "harness/report/figures.h"

#include "harness/records/results.h"
#include "harness/report/figure_parts.h"
#include "harness/tables/table_kind.h"
#include <math.h>
#include <string.h>

enum { CURVES_MAX = 24, NAMES_BYTES = 4096 };

typedef struct Plot {
    FILE *data;
    int count;
    char names[NAMES_BYTES]; /* words in double quotes, one per curve */
} Plot;

/* One curve as a block of x, y; what is null in either is a gap. */
static void curve_write(Plot *plot, const json_t *xs, const json_t *ys, const char *label)
{
    char escaped[256];
    if (json_array_size(xs) == 0 || json_array_size(ys) != json_array_size(xs) || plot->count == CURVES_MAX)
        return;
    for (size_t i = 0; i < json_array_size(xs); i++) {
        const json_t *x = json_array_get(xs, i), *y = json_array_get(ys, i);
        if (json_is_number(x) && json_is_number(y))
            fprintf(plot->data, "%.17g\t%.17g\n", json_number_value(x), json_number_value(y));
        else
            fprintf(plot->data, "\n");
    }
    fprintf(plot->data, "\n\n");
    figure_text(label, escaped, sizeof escaped);
    size_t used = strlen(plot->names);
    snprintf(plot->names + used, sizeof plot->names - used, "\"%s\" ", escaped);
    plot->count++;
}

/* The record of a row that has the curve, from any of the table's columns; NULL: none. */
static const json_t *curves_find(const json_t *published, const json_t *row, const json_t *latest,
                                 const char *name)
{
    const json_t *columns = json_object_get(published, "columns");
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *record = table_record_find(published, row, json_array_get(columns, c), latest);
        const json_t *curves = json_object_get(record, "curves");
        if (json_object_get(curves, name))
            return curves;
    }
    return NULL;
}

/* All curves of a row: named after the row, the curve, or both where there are several of both. */
static void row_write(Plot *plot, const json_t *published, const json_t *row, const json_t *latest,
                      bool row_named)
{
    const json_t *figure = json_object_get(published, "figure"), *asked = json_object_get(figure, "curves");
    bool curve_named = json_array_size(asked) > 1 || !row_named;
    for (size_t i = 0; i < json_array_size(asked); i++) {
        const json_t *entry = json_array_get(asked, i);
        const char *y = json_text_at(entry, "y"), *title = json_text_at(entry, "title");
        const char *x = json_text_at(entry, "x")[0] ? json_text_at(entry, "x") : json_text_at(figure, "x");
        const json_t *curves = curves_find(published, row, latest, y);
        char label[192];
        snprintf(label, sizeof label, "%s%s%s", row_named ? json_text_at(row, "name") : "",
                 row_named && curve_named ? ": " : "", curve_named ? (title[0] ? title : y) : "");
        if (curves)
            curve_write(plot, json_object_get(curves, x), json_object_get(curves, y), label);
    }
}

static Status plot_draw(const Plot *plot, const json_t *published, const json_t *row, const char *folder,
                        const char *name)
{
    const json_t *figure = json_object_get(published, "figure");
    char more[NAMES_BYTES + 1024], heading[384], x_title[256], y_title[256];
    figure_text(json_text_at(figure, "x_title"), x_title, sizeof x_title);
    figure_text(json_text_at(figure, "y_title"), y_title, sizeof y_title);
    snprintf(heading, sizeof heading, "%s%s%s (%s)", json_text_at(published, "title"), row ? ": " : "",
             row ? json_text_at(row, "name") : "", json_text_at(published, "source.place"));
    snprintf(more, sizeof more, "curves=%d; names='%s'; x_title='%s'; y_title='%s'; logarithmic='%.3s'",
             plot->count, plot->names, x_title, y_title, json_text_at(figure, "log"));
    return figure_draw("curves", folder, name, heading, more);
}

Status figure_curves(const json_t *published, const json_t *row, const json_t *latest, const char *folder,
                     const char *name, bool *drawn)
{
    static const char *const lists[] = {"rows", "stand_ins"};
    Plot plot = {.count = 0};
    *drawn = false;
    Status status = figure_data_open(folder, name, &plot.data);
    if (status.code != STATUS_OK)
        return status;
    if (row)
        row_write(&plot, published, row, latest, false);
    for (size_t l = 0; l < 2 && !row; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            if (!json_is_false(json_object_get(json_array_get(rows, r), "drawn")))
                row_write(&plot, published, json_array_get(rows, r), latest, true);
    }
    status = figure_data_close(plot.data, name);
    if (status.code == STATUS_OK && plot.count > 0) {
        status = plot_draw(&plot, published, row, folder, name);
        *drawn = status.code == STATUS_OK;
    }
    return status;
}

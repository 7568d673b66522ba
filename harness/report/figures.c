#include "harness/report/figures.h"

#include "harness/records/results.h"
#include "harness/report/figure_parts.h"
#include "harness/report/record_tables.h"
#include "harness/tables/published.h"
#include "harness/tables/table_kind.h"
#include "methods/runtime/skinner.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVES_MAX = 16 };

void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES])
{
    size_t used = (size_t)snprintf(name, FIGURE_NAME_BYTES, "%s", prefix);
    for (; *text && used + 1 < FIGURE_NAME_BYTES; text++)
        if (isalnum((unsigned char)*text))
            name[used++] = *text;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

/* ---- bars ---- */

static const Backend *backend_of(const json_t *record)
{
    const Backend *backend = &backend_reference;
    (void)backend_find(json_text_at(record, "backend"), &backend);
    return backend;
}

static void method_label(const json_t *record, char *text, size_t size)
{
    char parameters[128];
    record_parameters_format(record, parameters, sizeof parameters);
    snprintf(text, size, "%s%s%s%s%s", json_text_at(record, "method"), parameters[0] ? ", " : "", parameters,
             json_is_true(json_object_get(record, "normals")) ? ", with normals" : "",
             json_is_true(json_object_get(record, "two_phase")) ? ", two phases" : "");
}

static void bar_write(FILE *file, const json_t *record, int position)
{
    char label[128], escaped[256];
    const json_t *time = json_member_at(record, "timing.ns_per_vertex");
    int threads = (int)json_number_at(record, "threads");
    double median = json_number_at(time, "median");
    snprintf(label, sizeof label, "%s%s%s", json_text_at(record, "backend"),
             json_text_at(record, "level")[0] ? " " : "", json_text_at(record, "level"));
    if (threads > 1)
        snprintf(label + strlen(label), sizeof label - strlen(label), ", %d threads", threads);
    figure_text(label, escaped, sizeof escaped);
    fprintf(file, "%d\t%s\t%.6g\t%.6g\t%.6g\t%d\t%.*f\n", position, escaped, median,
            json_number_at(time, "interval_low"), json_number_at(time, "interval_high"),
            backend_of(record)->color, median < 10.0 ? 2 : 1, median);
}

static bool bar_is_wanted(const json_t *record, const char *sha256)
{
    return strcmp(json_text_at(record, "kind"), "skinning") == 0 &&
           strcmp(json_text_at(record, "dataset.sha256"), sha256) == 0 &&
           isfinite(json_number_at(record, "timing.ns_per_vertex.median"));
}

/* Bars grouped by method: records of one method stand together in the file. *label_size: characters of the
 * longest method's label. */
static int bars_write(FILE *file, const json_t *latest, const char *sha256, double *longest, int *label_size)
{
    char before[512] = "", method[512], escaped[1024];
    int position = 0;
    *longest = 0.0;
    *label_size = 0;
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (!bar_is_wanted(record, sha256))
            continue;
        method_label(record, method, sizeof method);
        if (strcmp(method, before) != 0) {
            figure_text(method, escaped, sizeof escaped);
            fprintf(file, "%d\t{/:Bold %s}\t\t\t\t0\t\n", position++, escaped);
            snprintf(before, sizeof before, "%s", method);
            if ((int)strlen(method) > *label_size)
                *label_size = (int)strlen(method);
        }
        bar_write(file, record, position++);
        *longest = fmax(*longest, json_number_at(record, "timing.ns_per_vertex.interval_high"));
    }
    return position;
}

Status figure_skinning(const json_t *latest, const json_t *dataset, const char *folder, const char *name,
                       bool *drawn)
{
    FILE *file = NULL;
    double longest = 0.0;
    int label_size = 0;
    char heading[256], more[128];
    Status status = figure_data_open(folder, name, &file);
    *drawn = false;
    if (status.code != STATUS_OK)
        return status;
    int rows = bars_write(file, latest, json_text_at(dataset, "sha256"), &longest, &label_size);
    status = figure_data_close(file, name);
    if (status.code != STATUS_OK || rows == 0)
        return status;
    snprintf(heading, sizeof heading, "%s: %.0f vertices, %.0f joints (medians with 95 %% intervals)",
             json_text_at(dataset, "name"), json_number_at(dataset, "vertices"),
             json_number_at(dataset, "joints"));
    snprintf(more, sizeof more, "rows=%d; longest=%.6g; label_size=%d", rows, longest, label_size);
    status = figure_draw("skinning", folder, name, heading, more);
    *drawn = status.code == STATUS_OK;
    return status;
}

/* ---- curves ---- */

typedef struct Curves {
    FILE *data, *rings;
    const json_t *published, *latest;
    int count;
    double top, last, ends[CURVES_MAX];
    char names[1024];
} Curves;

static void curve_write(Curves *curves, const json_t *row, const json_t *column)
{
    const json_t *record = table_record_find(curves->published, row, column, curves->latest);
    const json_t *points = json_object_get(record, "iterations");
    char name[96], escaped[192];
    if (json_array_size(points) < 2 || curves->count == CURVES_MAX)
        return;
    double last = 0.0;
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *point = json_array_get(points, i);
        double iteration = json_number_at(point, "iteration"), error = json_number_at(point, "e_rms");
        if (iteration < 1.0 || isnan(error))
            continue;
        fprintf(curves->data, "%.0f\t%.17g\n", iteration, error);
        curves->top = fmax(curves->top, error);
        curves->last = fmax(curves->last, iteration);
        last = error;
    }
    fprintf(curves->data, "\n\n");
    TableCell cell = table_cell_find(curves->published, row, column, curves->latest);
    if (!isnan(cell.published))
        fprintf(curves->rings, "%.0f\t%.17g\t%d\n", json_number_at(column, "iteration"), cell.published,
                curves->count);
    snprintf(name, sizeof name, "%s", json_text_at(row, "name"));
    figure_text(name, escaped, sizeof escaped);
    snprintf(curves->names + strlen(curves->names), sizeof curves->names - strlen(curves->names), "\"%s\" ",
             escaped);
    curves->ends[curves->count++] = last;
}

/* Names at the ends of curves must not lie on each other: from the lowest up, each is raised to keep a line's
 * distance from the one below. The shifts, as a gnuplot list of words. */
static void shifts_write(const Curves *curves, char *text, size_t size)
{
    double places[CURVES_MAX], distance = 0.055 * curves->top;
    int order[CURVES_MAX];
    for (int i = 0; i < curves->count; i++) {
        int k = i;
        for (; k > 0 && curves->ends[order[k - 1]] > curves->ends[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int k = 0; k < curves->count; k++) {
        places[order[k]] = curves->ends[order[k]];
        if (k > 0)
            places[order[k]] = fmax(places[order[k]], places[order[k - 1]] + distance);
    }
    text[0] = '\0';
    for (int i = 0; i < curves->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%.6g ", places[i] - curves->ends[i]);
}

static Status curves_draw(const Curves *curves, const char *folder, const char *name)
{
    char more[2048], shifts[512], heading[256];
    snprintf(heading, sizeof heading, "%s (%s)", json_text_at(curves->published, "title"),
             json_text_at(curves->published, "source.place"));
    shifts_write(curves, shifts, sizeof shifts);
    snprintf(more, sizeof more, "rings='%s-rings.tsv'; curves=%d; last=%g; top=%g; names='%s'; shifts='%s'",
             name, curves->count, curves->last, 1.05 * curves->top, curves->names, shifts);
    return figure_draw("iterations", folder, name, heading, more);
}

Status figure_iterations(const json_t *published, const json_t *latest, const char *folder, bool *drawn)
{
    static const char *const lists[] = {"rows", "stand_ins"};
    const json_t *column = json_array_get(json_object_get(published, "columns"), 0);
    const char *name = json_text_at(published, "name");
    Curves curves = {.published = published, .latest = latest};
    char rings[FIGURE_NAME_BYTES];
    *drawn = false;
    snprintf(rings, sizeof rings, "%.80s-rings", name);
    Status status = figure_data_open(folder, name, &curves.data);
    if (status.code != STATUS_OK)
        return status;
    status = figure_data_open(folder, rings, &curves.rings);
    if (status.code != STATUS_OK) {
        fclose(curves.data);
        return status;
    }
    for (size_t l = 0; l < 2; l++)
        for (size_t r = 0; r < json_array_size(json_object_get(published, lists[l])); r++)
            curve_write(&curves, json_array_get(json_object_get(published, lists[l]), r), column);
    Status closed = figure_data_close(curves.rings, rings);
    status = figure_data_close(curves.data, name);
    status = status.code == STATUS_OK ? closed : status;
    if (status.code == STATUS_OK && curves.count > 0) {
        status = curves_draw(&curves, folder, name);
        *drawn = status.code == STATUS_OK;
    }
    return status;
}

/* ---- published beside measured ---- */

typedef struct Dots {
    int rows;
    double lowest, highest;
} Dots;

static void dots_span(Dots *dots, double value)
{
    if (value > 0.0) {
        dots->lowest = fmin(dots->lowest, value);
        dots->highest = fmax(dots->highest, value);
    }
}

/* One line for a row of the paper under the column `name`, with the extra column's value where it has one. */
static void dots_write(FILE *file, const json_t *published, const json_t *latest, const json_t *row,
                       const char *name, const char *extra, Dots *dots)
{
    const json_t *columns = json_object_get(published, "columns");
    const json_t *column = named_at(columns, name), *best = extra ? named_at(columns, extra) : NULL;
    char label[256], escaped[512], last[32] = "";
    if (!column || strcmp(json_text_at(column, "quantity"), "e_rms") != 0)
        return;
    TableCell cell = table_cell_find(published, row, column, latest);
    TableCell other = {TABLE_CELL_EMPTY, NAN, NAN};
    if (best)
        other = table_cell_find(published, row, best, latest);
    /* Far below a thousandth of the size of the mesh there is nothing to see, and rounding to compare. */
    if (cell.state != TABLE_CELL_MEASURED || isnan(cell.published) || cell.published < 0.05)
        return;
    snprintf(label, sizeof label, "%s, %s", json_text_at(row, "name"), json_text_at(column, "title"));
    figure_text(label, escaped, sizeof escaped);
    if (!isnan(other.measured))
        snprintf(last, sizeof last, "%.17g", other.measured);
    fprintf(file, "%d\t%s\t%.17g\t%.17g\t%s\n", dots->rows++, escaped, cell.published, cell.measured, last);
    dots_span(dots, cell.published);
    dots_span(dots, cell.measured);
    dots_span(dots, other.measured);
}

Status figure_published(const json_t *published, const json_t *latest, const char *folder, bool *drawn)
{
    const char *name = json_text_at(published, "name");
    const json_t *rows = json_object_get(published, "rows");
    Dots dots = {0, INFINITY, 0.0};
    FILE *file = NULL;
    char more[128], heading[256];
    *drawn = false;
    Status status = figure_data_open(folder, name, &file);
    if (status.code != STATUS_OK)
        return status;
    for (size_t r = 0; r < json_array_size(rows); r++) {
        dots_write(file, published, latest, json_array_get(rows, r), "our", "our-best", &dots);
        dots_write(file, published, latest, json_array_get(rows, r), "svd", NULL, &dots);
    }
    status = figure_data_close(file, name);
    if (status.code != STATUS_OK || dots.rows == 0)
        return status;
    snprintf(heading, sizeof heading, "%s, published and measured", json_text_at(published, "source.place"));
    snprintf(more, sizeof more, "rows=%d; lowest=%.6g; highest=%.6g", dots.rows, dots.lowest / 1.3,
             dots.highest * 1.3);
    status = figure_draw("published", folder, name, heading, more);
    *drawn = status.code == STATUS_OK;
    return status;
}

/* Bars of ns per vertex of one data set's skinning cells, grouped by method. */
#include "harness/report/figure_plot.h"

#include "harness/text/interval_text.h"
#include "methods/runtime/skinner.h"
#include <math.h>
#include <string.h>

typedef struct BarPlot {
    FILE *file;
    const RecordView *records;
    PagePlots *plots;
    PlotSpan span;
    int label_size; /* characters of the longest method's label */
} BarPlot;

/* A backend that is not known any more looks like the reference. */
static const Backend *bar_backend(const Record *record)
{
    const Backend *backend = &backend_reference;
    (void)backend_find(record->cell.backend, &backend);
    return backend;
}

static void method_label(const Cell *cell, char *text, size_t size)
{
    char parameters[128];
    cell_parameters_format(cell, parameters, sizeof parameters);
    snprintf(text, size, "%s%s%s%s%s", cell->method, parameters[0] ? ", " : "", parameters,
             cell->normals ? ", with normals" : "", cell->two_phase ? ", two phases" : "");
}

/* The same for the page's script: a series for each backend. */
static void bar_point(const BarPlot *plot, const Record *record, const char *backend)
{
    const Interval *time = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX);
    char method[512], name[RECORD_NAME_BYTES];
    method_label(&record->cell, method, sizeof method);
    page_plot_series(plot->plots, backend, false);
    page_plot_point(plot->plots, &(PlotPoint){.x = page_plot_name(plot->plots, method),
                                              .y = time->median,
                                              .low = time->low,
                                              .high = time->high,
                                              .label = method,
                                              .record = record_name(plot->records, record, name)});
}

static void bar_write(const BarPlot *plot, const Record *record, int position)
{
    const Cell *cell = &record->cell;
    const Interval *time = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX);
    FILE *file = plot->file;
    char label[128], escaped[256];
    snprintf(label, sizeof label, "%s%s%s", cell->backend, cell->level[0] ? " " : "", cell->level);
    if (cell->threads > 1)
        snprintf(label + strlen(label), sizeof label - strlen(label), ", %d threads", cell->threads);
    bar_point(plot, record, label);
    figure_text(label, escaped, sizeof escaped);
    fprintf(file, "%d\t%s\t%.17g\t%.17g\t%.17g\t%d\t%.*f%s\n", position, escaped, time->median, time->low,
            time->high, bar_backend(record)->color, time->median < 10.0 ? 2 : 1, time->median,
            timing_is_disturbed(&record->timing) ? " " DISTURBED_MARK : "");
}

/* Records of one method stand together in the file. Returns how many rows it has. */
static int bars_write(BarPlot *plot, const char *sha256)
{
    char before[512] = "", method[512], escaped[1024];
    int position = 0;
    fprintf(plot->file, "# position\tlabel\tns per vertex, median\tlow\thigh\tcolour\ttext\n");
    for (const Record *record = NULL; (record = record_view_next(plot->records, record)) != NULL;) {
        const Interval *time = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX);
        if (record->cell.kind != CELL_SKINNING || strcmp(record->cell.dataset.sha256, sha256) != 0 ||
            isnan(time->median))
            continue;
        method_label(&record->cell, method, sizeof method);
        if (strcmp(method, before) != 0) {
            figure_text(method, escaped, sizeof escaped);
            fprintf(plot->file, "%d\t{/:Bold %s}\t\t\t\t0\t\n", position++, escaped);
            snprintf(before, sizeof before, "%s", method);
            if ((int)strlen(method) > plot->label_size)
                plot->label_size = (int)strlen(method);
        }
        bar_write(plot, record, position++);
        plot_span_add(&plot->span, time->median);
        plot_span_add(&plot->span, time->high);
    }
    return position;
}

Status figure_skinning(const RecordView *records, const CellDataset *dataset, const char *folder,
                       const char *name, PagePlots *plots, bool *drawn)
{
    BarPlot plot = {.records = records, .plots = plots, .span = plot_span_none()};
    char heading[256], more[128];
    *drawn = false;
    Status status = report_file_open(folder, name, "tsv", &plot.file);
    if (status.code != STATUS_OK)
        return status;
    snprintf(heading, sizeof heading, "%s: %d vertices, %d joints (medians with 95 %% intervals)",
             dataset->name, dataset->vertices, dataset->joints);
    page_plot_start(plots, name, heading, PLOT_POINTS, (PlotAxis){"", false},
                    (PlotAxis){"frame in file order, pose included: ns per vertex", true});
    int rows = bars_write(&plot, dataset->sha256);
    status = report_file_close(plot.file, name, status);
    if (status.code != STATUS_OK || rows == 0)
        return status;
    snprintf(more, sizeof more, "rows=%d; shortest=%.6g; longest=%.6g; logarithmic=%d; label_size=%d", rows,
             plot.span.lowest, plot.span.highest, plot_span_is_wide(&plot.span), plot.label_size);
    return figure_prepare("skinning", folder, name, heading, more, drawn);
}

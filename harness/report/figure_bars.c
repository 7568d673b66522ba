/* Bars of ns per vertex of one data set's skinning cells, grouped by method. */
#include "harness/report/figure_plot.h"

#include "harness/text/interval_text.h"
#include "methods/runtime/skinner.h"
#include <math.h>
#include <string.h>

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

static void bar_write(FILE *file, const Record *record, int position)
{
    const Cell *cell = &record->cell;
    const Interval *time = record_derived(record, DERIVED_NS_PER_VERTEX);
    char label[128], escaped[256];
    snprintf(label, sizeof label, "%s%s%s", cell->backend, cell->level[0] ? " " : "", cell->level);
    if (cell->threads > 1)
        snprintf(label + strlen(label), sizeof label - strlen(label), ", %d threads", cell->threads);
    figure_text(label, escaped, sizeof escaped);
    fprintf(file, "%d\t%s\t%.17g\t%.17g\t%.17g\t%d\t%.*f%s\n", position, escaped, time->median, time->low,
            time->high, bar_backend(record)->color, time->median < 10.0 ? 2 : 1, time->median,
            timing_is_disturbed(&record->timing) ? " " DISTURBED_MARK : "");
}

/* Records of one method stand together in the file. *label_size: characters of the longest method's label. */
static int bars_write(FILE *file, const RecordView *records, const char *sha256, PlotSpan *span,
                      int *label_size)
{
    char before[512] = "", method[512], escaped[1024];
    int position = 0;
    *label_size = 0;
    fprintf(file, "# position\tlabel\tns per vertex, median\tlow\thigh\tcolour\ttext\n");
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;) {
        const Interval *time = record_derived(record, DERIVED_NS_PER_VERTEX);
        if (record->cell.kind != CELL_SKINNING || strcmp(record->cell.dataset.sha256, sha256) != 0 ||
            isnan(time->median))
            continue;
        method_label(&record->cell, method, sizeof method);
        if (strcmp(method, before) != 0) {
            figure_text(method, escaped, sizeof escaped);
            fprintf(file, "%d\t{/:Bold %s}\t\t\t\t0\t\n", position++, escaped);
            snprintf(before, sizeof before, "%s", method);
            if ((int)strlen(method) > *label_size)
                *label_size = (int)strlen(method);
        }
        bar_write(file, record, position++);
        plot_span_add(span, time->median);
        plot_span_add(span, time->high);
    }
    return position;
}

Status figure_skinning(const RecordView *records, const CellDataset *dataset, const char *folder,
                       const char *name, bool *drawn)
{
    FILE *file = NULL;
    PlotSpan span = plot_span_none();
    int label_size = 0;
    char heading[256], more[128];
    *drawn = false;
    Status status = report_file_open(folder, name, "tsv", &file);
    if (status.code != STATUS_OK)
        return status;
    int rows = bars_write(file, records, dataset->sha256, &span, &label_size);
    status = report_file_close(file, name, status);
    if (status.code != STATUS_OK || rows == 0)
        return status;
    snprintf(heading, sizeof heading, "%s: %d vertices, %d joints (medians with 95 %% intervals)",
             dataset->name, dataset->vertices, dataset->joints);
    snprintf(more, sizeof more, "rows=%d; shortest=%.6g; longest=%.6g; logarithmic=%d; label_size=%d", rows,
             span.lowest, span.highest, plot_span_is_wide(&span), label_size);
    return figure_draw("skinning", folder, name, heading, more, drawn);
}

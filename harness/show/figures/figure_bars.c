/* Draws bars for the skinning cells of one data set, grouped by method: ns per vertex, or cycles per vertex
 * next to the limits of the machine. */
#include "harness/show/figures/figures.h"

#include "harness/show/text/interval_text.h"

typedef struct BarPlot {
    PlotFile *file;
    const RecordView *records;
    PagePlots *plots;
    PlotSpan span;
    int label_size;   /* length of the longest label, in characters */
    bool says_frames; /* whether labels name the number of frames, because it differs between the cells */
} BarPlot;

/* Returns the backend of a record; an unknown one is drawn like the reference. */
static const Backend *bar_backend(const Record *record)
{
    const Backend *backend = &backend_reference;
    (void)backend_find(record->cell.backend, &backend);
    return backend;
}

static void method_label(const BarPlot *plot, const Cell *cell, char *text, size_t size)
{
    char parameters[128];
    cell_parameters_format(cell, parameters, sizeof parameters);
    snprintf(text, size, "%s%s%s%s%s", cell->method, parameters[0] ? ", " : "", parameters,
             cell->normals ? ", with normals" : "", cell->two_phase ? ", two phases" : "");
    if (plot->says_frames)
        text_append(text, size, ", %d frame%s", cell->frames, cell->frames == 1 ? "" : "s");
}

/* Adds a bar to the interactive plot of the page. `series` is the entry of the key that gives its colour.
 * `label` is its name on the axis. */
static void bar_point(const BarPlot *plot, const Record *record, const char *series, const char *label,
                      Interval height)
{
    char name[RECORD_NAME_BYTES];
    page_plot_series(plot->plots, series, false);
    page_plot_interval(plot->plots, page_plot_name(plot->plots, label), height, label,
                       record_name(plot->records, record, name));
}

enum { LABEL_BYTES = 128 };

static void backend_label(const Cell *cell, char label[LABEL_BYTES])
{
    snprintf(label, LABEL_BYTES, "%s%s%s", cell->backend, cell->level[0] ? " " : "", cell->level);
    if (cell->threads > 1)
        text_append(label, LABEL_BYTES, ", %d threads", cell->threads);
}

/* Writes a heading before the first cell of a method. */
static void method_write(BarPlot *plot, const Cell *cell, char before[512], int *position)
{
    char method[512];
    method_label(plot, cell, method, sizeof method);
    if (strcmp(method, before) == 0)
        return;
    plot_print(plot->file, "%d\t{/:Bold %s}\t\t\t\t0\t\n", (*position)++, method);
    snprintf(before, 512, "%s", method);
    if ((int)strlen(method) > plot->label_size)
        plot->label_size = (int)strlen(method);
}

/* Writes the bars; records of one method are adjacent in the file. Returns the number of rows. */
static int bars_write(BarPlot *plot, const char *sha256)
{
    char before[512] = "";
    int position = 0, frames = 0;
    for (const Record *record = NULL; (record = record_view_next_of(plot->records, sha256, record));) {
        if (record->cell.kind != CELL_SKINNING ||
            bar_backend(record)->is_gpu || /* skip GPUs, whose cells repeat the frames */
            isnan(record_derived(record, DERIVED_FRAME_NS_PER_VERTEX)->median))
            continue;
        plot->says_frames = plot->says_frames || (frames > 0 && frames != record->cell.frames);
        frames = record->cell.frames;
    }
    plot_print(plot->file, "# position\tlabel\tns per vertex, median\tlow\thigh\tcolour\ttext\n");
    for (const Record *record = NULL; (record = record_view_next_of(plot->records, sha256, record));) {
        const Interval *time = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX);
        if (record->cell.kind != CELL_SKINNING || isnan(time->median))
            continue;
        method_write(plot, &record->cell, before, &position);
        char label[LABEL_BYTES], method[512];
        backend_label(&record->cell, label);
        method_label(plot, &record->cell, method, sizeof method);
        bar_point(plot, record, label, method, *time);
        plot_print(plot->file, "%d\t%s\t%.17g\t%.17g\t%.17g\t%d\t%.*f%s\n", position++, label, time->median,
                   time->low, time->high, bar_backend(record)->color, time->median < 10.0 ? 2 : 1,
                   time->median, timing_is_disturbed(&record->timing) ? " " DISTURBED_MARK : "");
        plot_span_add(&plot->span, time->median);
        plot_span_add(&plot->span, time->high);
    }
    return position;
}

/* ---- limits ---- */

/* A stage of a cell, which is drawn as a bar with marks at its limits, in cycles per vertex. */
typedef struct LimitBar {
    const char *stage;
    double time_ns, written_ns, share;
} LimitBar;

static void limit_bar_write(BarPlot *plot, const Record *record, const LimitBar *bar, int position)
{
    const Roof *roof = &record->timing.roof;
    const double cycles = roof->cycles_per_ns;
    const struct {
        const char *series;
        double ns;
    } marks[] = {{"measured", bar->time_ns},
                 {"arithmetic, full lanes", roof->arithmetic_ns},
                 {"arithmetic, as tiled", roof->arithmetic_tiled_ns},
                 {"load ports", roof->loads_ns},
                 {"writing the results", bar->written_ns}};
    char label[LABEL_BYTES], method[512], cell[sizeof label + sizeof method + 32];
    backend_label(&record->cell, label);
    method_label(plot, &record->cell, method, sizeof method);
    snprintf(cell, sizeof cell, "%s, %s, %s", method, label, bar->stage);
    plot_print(plot->file, "%d\t%s, %s", position, label, bar->stage);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        /* a limit that is beaten is wrong, and the axis is logarithmic */
        if (marks[i].ns > bar->time_ns || marks[i].ns <= 0.0) {
            plot_print(plot->file, "\tNaN");
            continue;
        }
        plot_print(plot->file, "\t%.17g", cycles * marks[i].ns);
        plot_span_add(&plot->span, cycles * marks[i].ns);
        bar_point(plot, record, marks[i].series, cell, (Interval){cycles * marks[i].ns, NAN, NAN});
    }
    plot_print(plot->file, "\t%s\t", roof->memory);
    if (!isnan(bar->share))
        plot_print(plot->file, "%.0f %%", 100.0 * bar->share);
    plot_print(plot->file, "\t%d\n", bar_backend(record)->color);
}

static int limit_bars_write(BarPlot *plot, const char *sha256)
{
    char before[512] = "";
    int position = 0;
    plot_print(plot->file,
               "# position\tlabel\tcycles per vertex\tof arithmetic with full lanes\tas tiled\tof the load "
               "ports\twriting results\tposition of these limits\tshare of the largest limit\tcolour\n");
    for (const Record *record = NULL; (record = record_view_next_of(plot->records, sha256, record));) {
        const Roof *roof = &record->timing.roof;
        const double skin_ns = record_derived(record, DERIVED_NS_PER_VERTEX)->median,
                     frame_ns = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX)->median;
        if (record->cell.kind != CELL_SKINNING || isnan(roof->loads_ns) || isnan(skin_ns) || isnan(frame_ns))
            continue;
        method_write(plot, &record->cell, before, &position);
        const LimitBar skin = {"skin", skin_ns, roof->lanes_ns, roof_share(roof_skin_ns(roof), skin_ns)};
        const LimitBar frame = {"frame", frame_ns, roof->packed_ns,
                                roof_share(roof_frame_ns(roof), frame_ns)};
        limit_bar_write(plot, record, &skin, position++);
        limit_bar_write(plot, record, &frame, position++);
    }
    return position;
}

Status figure_skinning(const RecordView *records, const CellDataset *dataset, bool limits, PlotFigure *out)
{
    BarPlot plot = {.records = records, .plots = out->plots, .span = plot_span_none()};
    PlotFile *program = NULL;
    char heading[256];
    if (limits)
        snprintf(heading, sizeof heading, "%s: limits of this machine, measured in the run", dataset->name);
    else
        snprintf(heading, sizeof heading, "%s: %d vertices, %d joints (medians with 95 %% intervals)",
                 dataset->name, dataset->vertices, dataset->joints);
    STATUS_TRY(figure_part_open(out, FIGURE_DATA, &plot.file));
    page_plot_start(out->plots, out->name, heading, PLOT_POINTS, (PlotAxis){"", false},
                    (PlotAxis){limits ? "cycles per vertex and frame"
                                      : "time of a frame in file order, including the pose (ns per vertex)",
                               true});
    const int rows = (limits ? limit_bars_write : bars_write)(&plot, dataset->sha256);
    STATUS_TRY(figure_part_close(out, FIGURE_DATA));
    if (rows == 0)
        return status_ok();
    STATUS_TRY(figure_program_start(out, heading, &program));
    plot_print(program, "rows=%d; shortest=%.6g; longest=%.6g; logarithmic=%d; label_size=%d", rows,
               plot.span.lowest, plot.span.highest, plot_span_is_wide(&plot.span), plot.label_size);
    return figure_program_end(out, limits ? "limits" : "skinning");
}

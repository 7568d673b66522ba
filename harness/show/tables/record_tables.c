/* Lays the records of a run out as tables. */
#include "harness/show/tables/record_tables.h"

#include "datasets/base/text.h"
#include "harness/measure/metrics/metrics.h"
#include "harness/show/text/interval_text.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A number of a record in rounds or of a fit, with its interval; NAN where too few samples give one. */
static void interval_cell(TextTable *table, const RecordView *view, const Record *record, Interval interval,
                          int samples, int digits)
{
    char text[INTERVAL_TEXT_BYTES], name[RECORD_NAME_BYTES];
    const bool enough = samples >= INTERVAL_SAMPLES_MIN;
    const IntervalNumber number = {interval.median, enough ? interval.low : NAN, enough ? interval.high : NAN,
                                   samples, timing_is_disturbed(&record->timing)};
    interval_text(&number, digits, text);
    text_table_cell(table, "%s", text);
    text_table_value(table, interval.median, record_name(view, record, name));
}

static void derived_cell(TextTable *table, const RecordView *view, const Record *record, Derived derived)
{
    interval_cell(table, view, record, record->timing.derived[derived], record->timing.rounds, 3);
}

/* A stage in units of 1 / factor seconds. */
static void stage_cell(TextTable *table, const RecordView *view, const Record *record, Stage stage,
                       double factor)
{
    const StageTime *time = &record->timing.stages[stage];
    const Statistics *s = &time->statistics;
    interval_cell(table, view, record,
                  (Interval){factor * s->median, factor * s->interval_low, factor * s->interval_high},
                  time->sample_count, 3);
}

/* "svds 1.2, updates_mean 0.8": means over the frames. */
static void counts_cell(TextTable *table, const Record *record)
{
    char text[256] = "";
    for (int i = 0; i < record->counter_count; i++)
        text_append(text, sizeof text, "%s%s %.3g", text[0] ? ", " : "", record->counters[i].name,
                    record->counters[i].mean);
    text_table_cell(table, "%s", text);
}

static void share_cell(TextTable *table, double share)
{
    if (isnan(share))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.0f %%", 100.0 * share);
}

static void skinning_row(TextTable *table, const RecordView *view, const Record *record)
{
    const Cell *cell = &record->cell;
    const Timing *timing = &record->timing;
    const double vertices = (double)cell->dataset.vertices * cell->frames;
    char parameters[256], name[RECORD_NAME_BYTES];
    cell_parameters_format(cell, parameters, sizeof parameters);
    text_table_row(table);
    text_table_cell(table, "%s", cell->dataset.name);
    text_table_cell(table, "%s%s%s", cell->method, parameters[0] ? " " : "", parameters);
    text_table_cell(table, "%s%s%s%s%s", cell->backend, cell->level[0] ? " " : "", cell->level,
                    cell->normals ? ", normals" : "", cell->two_phase ? ", two phases" : "");
    text_table_cell(table, "%d", cell->threads);
    derived_cell(table, view, record, DERIVED_FRAME_NS_PER_VERTEX);
    derived_cell(table, view, record, DERIVED_FRAME_RATIO_TO_LBS);
    derived_cell(table, view, record, DERIVED_FRAME_RATIO_TO_PLAIN);
    stage_cell(table, view, record, STAGE_POSE, 1e9 / vertices);
    derived_cell(table, view, record, DERIVED_NS_PER_VERTEX);
    stage_cell(table, view, record, STAGE_DELIVER, 1e9 / vertices);
    derived_cell(table, view, record, DERIVED_RATIO_TO_LBS);
    derived_cell(table, view, record, DERIVED_RATIO_TO_SCALAR);
    share_cell(table, roof_share(roof_skin_ns(&timing->roof), timing->derived[DERIVED_NS_PER_VERTEX].median));
    text_table_number(table, 1e3 * record_stage_median_s(record, STAGE_BIND), 3);
    text_table_number(table, record_metric(record, "reference_distance_max"), 2);
    text_table_value(table, record_metric(record, "reference_distance_max"), record_name(view, record, name));
    text_table_cell(table, "%d %s", timing->rounds, timing->end);
    counts_cell(table, record);
}

static bool is_of(const Record *record, CellKind kind, const char *dataset)
{
    return record->cell.kind == kind && (!dataset || strcmp(record->cell.dataset.sha256, dataset) == 0);
}

TextTable *skinning_table(const RecordView *records, const char *dataset)
{
    static const char *const columns[] = {"?data set",
                                          "?method",
                                          "?backend",
                                          "threads",
                                          "frame ns/vertex",
                                          "frame over LBS",
                                          "frame over plain loop",
                                          "pose",
                                          "skin",
                                          "read",
                                          "skin over LBS",
                                          "skin over scalar",
                                          "skin, of its limit",
                                          "bind ms (once)",
                                          "off reference",
                                          "<rounds",
                                          "<counts per frame",
                                          NULL};
    TextTable *out = text_table_create(
        "Skinning: a frame in file order, pose included, and each stage separately, ns per vertex", columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        if (is_of(record, CELL_SKINNING, dataset) && record->timing.timed)
            skinning_row(out, records, record);
    return out;
}

/* A limit in cycles and ns. */
static void limit_cell(TextTable *table, const Roof *roof, double ns)
{
    text_table_cell(table, "%.2f (%.3f)", ns * roof->cycles_per_ns, ns);
}

static void limits_row(TextTable *table, const RecordView *view, const Record *record)
{
    const Roof *roof = &record->timing.roof;
    const double skin_ns = record_derived(record, DERIVED_NS_PER_VERTEX)->median,
                 frame_ns = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX)->median;
    char parameters[256], name[RECORD_NAME_BYTES];
    cell_parameters_format(&record->cell, parameters, sizeof parameters);
    text_table_row(table);
    text_table_cell(table, "%s", record->cell.dataset.name);
    text_table_cell(table, "%s%s%s", record->cell.method, parameters[0] ? " " : "", parameters);
    text_table_cell(table, "%s%s%s%s", record->cell.backend, record->cell.level[0] ? " " : "",
                    record->cell.level, record->cell.normals ? ", normals" : "");
    text_table_cell(table, "%d", record->cell.threads);
    limit_cell(table, roof, roof->arithmetic_ns);
    limit_cell(table, roof, roof->arithmetic_tiled_ns);
    limit_cell(table, roof, roof->loads_ns);
    text_table_cell(table, "%s %.2f (%.3f)", roof->memory, roof->lanes_ns * roof->cycles_per_ns,
                    roof->lanes_ns);
    limit_cell(table, roof, skin_ns);
    share_cell(table, roof_share(roof_skin_ns(roof), skin_ns));
    text_table_value(table, roof_share(roof_skin_ns(roof), skin_ns), record_name(view, record, name));
    limit_cell(table, roof, roof->packed_ns);
    share_cell(table, record->timing.frame_straight);
    limit_cell(table, roof, frame_ns);
    share_cell(table, roof_share(roof_frame_ns(roof), frame_ns));
    text_table_value(table, roof_share(roof_frame_ns(roof), frame_ns), record_name(view, record, name));
}

TextTable *limits_table(const RecordView *records, const char *dataset)
{
    static const char *const columns[] = {"?data set",
                                          "?method",
                                          "?backend",
                                          "threads",
                                          "arithmetic, full lanes",
                                          "arithmetic as tiled",
                                          "load ports",
                                          "results in lanes",
                                          "skin",
                                          "of its limit",
                                          "packed results",
                                          "straight",
                                          "frame",
                                          "of its limit",
                                          NULL};
    TextTable *out =
        text_table_create("Limits of this machine, measured in the run: cycles (ns) per vertex", columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        if (is_of(record, CELL_SKINNING, dataset) && !isnan(record->timing.roof.loads_ns))
            limits_row(out, records, record);
    return out;
}

static void device_ns_cell(TextTable *table, const RecordView *view, const Record *record, double seconds)
{
    const double ns = 1e9 * seconds / ((double)record->cell.dataset.vertices * record->cell.frames);
    char name[RECORD_NAME_BYTES];
    text_table_number(table, ns, 3);
    text_table_value(table, ns, record_name(view, record, name));
}

static void devices_row(TextTable *table, const RecordView *view, const Record *record)
{
    const DeviceTiming *device = &record->timing.device;
    char parameters[256], name[RECORD_NAME_BYTES];
    cell_parameters_format(&record->cell, parameters, sizeof parameters);
    text_table_row(table);
    text_table_cell(table, "%s", record->cell.dataset.name);
    text_table_cell(table, "%s%s%s", record->cell.method, parameters[0] ? " " : "", parameters);
    text_table_cell(table, "%s%s", record->cell.backend, record->cell.normals ? ", normals" : "");
    text_table_cell(table, "%d", record->cell.frames);
    derived_cell(table, view, record, DERIVED_FRAME_NS_PER_VERTEX);
    device_ns_cell(table, view, record, device->upload_s);
    device_ns_cell(table, view, record, device->frame_kernel_s);
    device_ns_cell(table, view, record, device->download_s);
    device_ns_cell(table, view, record, device->kernel_s);
    device_ns_cell(table, view, record, device->cold_kernel_s);
    text_table_number(table, 1e-9 * device->moved_bytes / device->kernel_s, 3);
    share_cell(table, device->copy_s / device->kernel_s);
    text_table_value(table, device->copy_s / device->kernel_s, record_name(view, record, name));
    share_cell(table, device->cold_copy_s / device->cold_kernel_s);
    text_table_value(table, device->cold_copy_s / device->cold_kernel_s, record_name(view, record, name));
    text_table_number(table, 1e3 * record_stage_median_s(record, STAGE_BIND), 3);
    text_table_number(table, 1e3 * record_stage_median_s(record, STAGE_FIRST_FRAME), 3);
    text_table_cell(table, "%s", record->device);
}

TextTable *devices_table(const RecordView *records, const char *dataset)
{
    static const char *const columns[] = {"?data set",
                                          "?method",
                                          "?backend",
                                          "frames",
                                          "frame ns/vertex",
                                          "palettes to device",
                                          "its kernel",
                                          "results to host",
                                          "kernel alone, hot",
                                          "cold",
                                          "GB/s",
                                          "of a copy, hot",
                                          "of a copy, cold",
                                          "bind ms",
                                          "first frames ms",
                                          "<device",
                                          NULL};
    TextTable *out =
        text_table_create("Devices: a frame from poses to packed positions on the host, its parts, and the "
                          "kernel beside a copy within the device, ns per vertex",
                          columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        if (is_of(record, CELL_SKINNING, dataset) && !isnan(record->timing.device.kernel_s))
            devices_row(out, records, record);
    return out;
}

static void peer_row(TextTable *table, const RecordView *view, const Record *record)
{
    char name[RECORD_NAME_BYTES];
    text_table_row(table);
    text_table_words(table, record->cell.dataset.name, record->cell.method, NULL);
    text_table_cell(table, "%d", record->cell.threads);
    derived_cell(table, view, record, DERIVED_FRAME_NS_PER_VERTEX);
    derived_cell(table, view, record, DERIVED_FRAME_RATIO_TO_LBS);
    derived_cell(table, view, record, DERIVED_FRAME_RATIO_TO_PLAIN);
    text_table_number(table, record_metric(record, "reference_distance_max"), 2);
    text_table_value(table, record_metric(record, "reference_distance_max"), record_name(view, record, name));
    text_table_cell(table, "%d %s", record->timing.rounds, record->timing.end);
    text_table_cell(table, "%s", record->device);
}

TextTable *peers_table(const RecordView *records, const char *dataset)
{
    static const char *const columns[] = {"?data set",
                                          "?peer",
                                          "threads",
                                          "frame ns/vertex",
                                          "frame over LBS on simd",
                                          "frame over plain loop",
                                          "off reference",
                                          "<rounds",
                                          "<what",
                                          NULL};
    TextTable *out =
        text_table_create("Peers: other ways to skin the same frames by linear blending", columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        if (is_of(record, CELL_PEER, dataset) && record->timing.timed)
            peer_row(out, records, record);
    return out;
}

static void fit_row(TextTable *table, const RecordView *view, const Record *record)
{
    char parameters[256], name[RECORD_NAME_BYTES];
    int count = 0;
    const Metric *rows = metric_rows(&count);
    cell_parameters_format(&record->cell, parameters, sizeof parameters);
    text_table_row(table);
    text_table_words(table, record->cell.dataset.name, record->cell.method, parameters, NULL);
    text_table_cell(table, "%d", record->fit.bones_delivered);
    for (int i = 0; i < count; i++)
        if (rows[i].column_title) {
            const double value = rows[i].column_factor * record_metric(record, rows[i].name);
            text_table_number(table, value, rows[i].column_digits);
            text_table_value(table, value, record_name(view, record, name));
        }
    stage_cell(table, view, record, STAGE_TOTAL, 1.0);
    stage_cell(table, view, record, STAGE_INITIALIZATION, 1.0);
    stage_cell(table, view, record, STAGE_STEP, 1.0);
    text_table_cell(table, "%s", record->fit.end);
}

TextTable *fits_table(const RecordView *records)
{
    const char *columns[METRICS_MAX + 9] = {"?data set", "?method", "?parameters", "bones"};
    int filled = 4, count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].column_title)
            columns[filled++] = rows[i].column_title;
    columns[filled++] = "total s";
    columns[filled++] = "init s";
    columns[filled++] = "step s";
    columns[filled++] = "<end";
    TextTable *out =
        text_table_create("Decomposition: error of the model, posed and measured by the harness", columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        if (is_of(record, CELL_DECOMPOSITION, NULL) && record->status == RECORD_OK)
            fit_row(out, records, record);
    return out;
}

TextTable *counts_table(const RecordView *records)
{
    static const char *const columns[] = {"<kind", "ok", "skipped", "wrong", "failed", NULL};
    static const CellKind kinds[] = {CELL_SKINNING, CELL_DECOMPOSITION, CELL_STUDY};
    int counts[CELL_KIND_COUNT][RECORD_STATUS_COUNT] = {{0}};
    TextTable *out = text_table_create("Cells", columns);
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;)
        counts[record->cell.kind][record->status]++;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        text_table_row(out);
        text_table_cell(out, "%s", cell_kind_names[kinds[k]]);
        for (int s = 0; s < RECORD_STATUS_COUNT; s++)
            text_table_cell(out, "%d", counts[kinds[k]][s]);
    }
    return out;
}

TextTable *reasons_table(const RecordView *records)
{
    static const char *const columns[] = {"?data set", "?method", "?backend", "?status", "<reason", NULL};
    TextTable *out = text_table_create("Cells without a number", columns);
    char name[RECORD_NAME_BYTES];
    for (const Record *record = NULL; (record = record_view_next(records, record)) != NULL;) {
        bool study = record->cell.kind == CELL_STUDY;
        if (record->status == RECORD_OK)
            continue;
        text_table_row(out);
        text_table_words(out, study ? record->cell.row : record->cell.dataset.name,
                         study ? record->cell.study : record->cell.method, record->cell.backend,
                         record_status_names[record->status], record->reason, NULL);
        text_table_value(out, NAN, record_name(records, record, name));
    }
    return out;
}

const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous)
{
    for (const Record *record = previous; (record = record_view_next(records, record)) != NULL;) {
        const Record *first = NULL;
        while (is_of(record, kind, NULL) && (first = record_view_next(records, first)) != record)
            if (is_of(first, kind, record->cell.dataset.sha256))
                break;
        if (first == record)
            return record;
    }
    return NULL;
}

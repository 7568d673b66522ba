/* Formats the records of a run as tables. */
#include "harness/show/tables/record_tables.h"

#include "harness/show/text/interval_text.h"

void text_table_record(TextTable *table, const RecordView *view, const Record *record, double value)
{
    char name[RECORD_NAME_BYTES];
    text_table_value(table, value, record_name(view, record, name));
}

void sampled_number_cell(TextTable *table, const RecordView *view, const Record *record,
                         const SampledNumber *number, int digits)
{
    char text[INTERVAL_TEXT_BYTES];
    interval_text(number, digits, text);
    text_table_cell(table, "%s", text);
    text_table_record(table, view, record, number->value);
}

/* Writes a cell with a number that has no interval. */
static void number_cell(TextTable *table, const RecordView *view, const Record *record, double value,
                        int digits)
{
    text_table_number(table, value, digits);
    text_table_record(table, view, record, value);
}

/* Writes a cell with a number and its interval. The interval is NAN if there are too few samples. */
static void interval_cell(TextTable *table, const RecordView *view, const Record *record, Interval interval,
                          int samples)
{
    SampledNumber number = sampled_number(&interval, samples);
    number.disturbed = timing_is_disturbed(&record->timing);
    sampled_number_cell(table, view, record, &number, 3);
}

static void derived_cell(TextTable *table, const RecordView *view, const Record *record, Derived derived)
{
    interval_cell(table, view, record, record->timing.derived[derived], record->timing.rounds);
}

/* Writes the time of a stage multiplied by `factor`. */
static void stage_cell(TextTable *table, const RecordView *view, const Record *record, Stage stage,
                       double factor)
{
    const StageTime *time = timing_stage(&record->timing, stage);
    interval_cell(table, view, record, interval_of(&time->statistics, factor), time->sample_count);
}

/* Writes a cell with a fraction as per cent, and a link to its record unless `record` is NULL. */
static void share_cell(TextTable *table, double share, const RecordView *view, const Record *record)
{
    if (isnan(share))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.0f %%", 100.0 * share);
    if (record)
        text_table_record(table, view, record, share);
}

/* Starts a row with the data set of a cell, and its method and parameters. */
static void skinned_row(TextTable *table, const Cell *cell)
{
    char parameters[256];
    cell_parameters_format(cell, parameters, sizeof parameters);
    text_table_row(table, cell->dataset.name, NULL);
    text_table_cell(table, "%s%s%s", cell->method, parameters[0] ? " " : "", parameters);
}

void cell_row(TextTable *table, const Cell *cell)
{
    if (cell->kind == CELL_STUDY) {
        text_table_row(table, cell->row, NULL);
        text_table_cell(table, "%s of %s", cell->study, cell->table);
    } else {
        skinned_row(table, cell);
    }
    text_table_cell(table, "%s%s%s%s%s", cell->backend, cell->level[0] ? " " : "", cell->level,
                    cell->normals ? ", normals" : "", cell->two_phase ? ", two phases" : "");
    if (cell->threads > 0)
        text_table_cell(table, "%d", cell->threads);
    else
        text_table_cell(table, "-");
}

TextTable *skinning_table(const RecordView *records, const char *dataset)
{
    TextTable *out = text_table_create(
        "Skinning: time of a whole frame in file order, including the pose, and of each stage; ns per vertex",
        "?data set|?method|?backend|threads|frames|frame ns/vertex|frame over LBS|frame over plain loop|"
        "pose|skin|read|skin over LBS|skin over scalar|skin, of its limit|bind ms (once)|off "
        "reference|<rounds|"
        "<counts per frame");
    for (const Record *record = NULL; (record = record_view_next_of(records, dataset, record));)
        if (record->cell.kind == CELL_SKINNING && record->timing.timed) {
            const Cell *cell = &record->cell;
            const Timing *timing = &record->timing;
            const double vertices = (double)cell->dataset.vertices * cell->frames;
            cell_row(out, cell);
            text_table_cell(out, "%d", cell->frames);
            derived_cell(out, records, record, DERIVED_FRAME_NS_PER_VERTEX);
            derived_cell(out, records, record, DERIVED_FRAME_RATIO_TO_LBS);
            derived_cell(out, records, record, DERIVED_FRAME_RATIO_TO_PLAIN);
            stage_cell(out, records, record, STAGE_POSE, 1e9 / vertices);
            derived_cell(out, records, record, DERIVED_NS_PER_VERTEX);
            stage_cell(out, records, record, STAGE_DELIVER, 1e9 / vertices);
            derived_cell(out, records, record, DERIVED_RATIO_TO_LBS);
            derived_cell(out, records, record, DERIVED_RATIO_TO_SCALAR);
            share_cell(out,
                       roof_share(roof_skin_ns(&timing->roof), timing->derived[DERIVED_NS_PER_VERTEX].median),
                       records, NULL);
            text_table_number(out, 1e3 * record_stage_median_s(record, STAGE_BIND), 3);
            number_cell(out, records, record, record_metric(record, "reference_distance_max"), 2);
            text_table_cell(out, "%d %s", timing->rounds, timing->end);
            char counts[256] = "";
            for (int i = 0; i < record->counter_count; i++)
                text_append(counts, sizeof counts, "%s%s %.3g", counts[0] ? ", " : "",
                            record->counters[i].name, record->counters[i].mean);
            text_table_cell(out, "%s", counts);
        }
    return out;
}

/* Writes two cells for a limit: one in cycles, one in ns. */
static void limit_cell(TextTable *table, const Roof *roof, double ns)
{
    text_table_cell(table, "%.2f (%.3f)", ns * roof->cycles_per_ns, ns);
}

TextTable *limits_table(const RecordView *records, const char *dataset)
{
    TextTable *out = text_table_create(
        "Limits of this machine, measured in the run: cycles (ns) per vertex",
        "?data set|?method|?backend|threads|frames|arithmetic, full lanes|arithmetic as tiled|load ports|"
        "results in lanes|skin|of its limit|packed results|straight|frame|of its limit");
    for (const Record *record = NULL; (record = record_view_next_of(records, dataset, record));)
        if (record->cell.kind == CELL_SKINNING && !isnan(record->timing.roof.loads_ns)) {
            const Roof *roof = &record->timing.roof;
            const double skin_ns = record_derived(record, DERIVED_NS_PER_VERTEX)->median,
                         frame_ns = record_derived(record, DERIVED_FRAME_NS_PER_VERTEX)->median;
            skinned_row(out, &record->cell);
            text_table_cell(out, "%s%s%s%s", record->cell.backend, record->cell.level[0] ? " " : "",
                            record->cell.level, record->cell.normals ? ", normals" : "");
            text_table_cell(out, "%d", record->cell.threads);
            text_table_cell(out, "%d", record->cell.frames);
            limit_cell(out, roof, roof->arithmetic_ns);
            limit_cell(out, roof, roof->arithmetic_tiled_ns);
            limit_cell(out, roof, roof->loads_ns);
            text_table_cell(out, "%s %.2f (%.3f)", roof->memory, roof->lanes_ns * roof->cycles_per_ns,
                            roof->lanes_ns);
            limit_cell(out, roof, skin_ns);
            share_cell(out, roof_share(roof_skin_ns(roof), skin_ns), records, record);
            limit_cell(out, roof, roof->packed_ns);
            share_cell(out, record->timing.frame_straight, records, NULL);
            limit_cell(out, roof, frame_ns);
            share_cell(out, roof_share(roof_frame_ns(roof), frame_ns), records, record);
        }
    return out;
}

static void device_ns_cell(TextTable *table, const RecordView *view, const Record *record, double seconds)
{
    const double points = (double)record->cell.dataset.vertices * record->cell.frames;
    number_cell(table, view, record, 1e9 * seconds / points, 3);
}

TextTable *devices_table(const RecordView *records, const char *dataset)
{
    TextTable *out = text_table_create(
        "Devices: time of a frame from poses to packed positions on the host, of its parts, and of the "
        "kernel beside the time of a copy within the device; ns per vertex",
        "?data set|?method|?backend|frames|frame ns/vertex|palettes to device|its kernel|results to host|"
        "kernel alone, hot|cold|GB/s|of a copy, hot|of a copy, cold|bind ms|first frames ms|<device");
    for (const Record *record = NULL; (record = record_view_next_of(records, dataset, record));)
        if (record->cell.kind == CELL_SKINNING && !isnan(record->timing.device.kernel_s)) {
            const DeviceTiming *device = &record->timing.device;
            skinned_row(out, &record->cell);
            text_table_cell(out, "%s%s", record->cell.backend, record->cell.normals ? ", normals" : "");
            text_table_cell(out, "%d", record->cell.frames);
            derived_cell(out, records, record, DERIVED_FRAME_NS_PER_VERTEX);
            device_ns_cell(out, records, record, device->upload_s);
            device_ns_cell(out, records, record, device->frame_kernel_s);
            device_ns_cell(out, records, record, device->download_s);
            device_ns_cell(out, records, record, device->kernel_s);
            device_ns_cell(out, records, record, device->cold_kernel_s);
            text_table_number(out, 1e-9 * device->moved_bytes / device->kernel_s, 3);
            share_cell(out, device->copy_s / device->kernel_s, records, record);
            share_cell(out, device->cold_copy_s / device->cold_kernel_s, records, record);
            text_table_number(out, 1e3 * record_stage_median_s(record, STAGE_BIND), 3);
            text_table_number(out, 1e3 * record_stage_median_s(record, STAGE_FIRST_FRAME), 3);
            text_table_cell(out, "%s", record->device);
        }
    return out;
}

TextTable *peers_table(const RecordView *records, const char *dataset)
{
    TextTable *out =
        text_table_create("Peers: other ways to skin the same frames by linear blending",
                          "?data set|?peer|threads|frames|frame ns/vertex|frame over LBS on simd|"
                          "frame over plain loop|off reference|<rounds|<what");
    for (const Record *record = NULL; (record = record_view_next_of(records, dataset, record));)
        if (record->cell.kind == CELL_PEER && record->timing.timed) {
            text_table_row(out, record->cell.dataset.name, record->cell.method, NULL);
            text_table_cell(out, "%d", record->cell.threads);
            text_table_cell(out, "%d", record->cell.frames);
            derived_cell(out, records, record, DERIVED_FRAME_NS_PER_VERTEX);
            derived_cell(out, records, record, DERIVED_FRAME_RATIO_TO_LBS);
            derived_cell(out, records, record, DERIVED_FRAME_RATIO_TO_PLAIN);
            number_cell(out, records, record, record_metric(record, "reference_distance_max"), 2);
            text_table_cell(out, "%d %s", record->timing.rounds, record->timing.end);
            text_table_cell(out, "%s", record->device);
        }
    return out;
}

void dataset_label(const RecordView *records, const Cell *cell, char label[DATASET_LABEL_BYTES])
{
    snprintf(label, DATASET_LABEL_BYTES, "%s", cell->dataset.name);
    for (const Record *other = NULL; (other = record_view_next(records, other));)
        if (strcmp(other->cell.dataset.name, cell->dataset.name) == 0 &&
            strcmp(other->cell.dataset.sha256, cell->dataset.sha256) != 0) {
            snprintf(label, DATASET_LABEL_BYTES, "%s, %d vertices", cell->dataset.name,
                     cell->dataset.vertices);
            return;
        }
}

TextTable *fits_table(const RecordView *records, bool external)
{
    static const char *const afters[][4] = {{"total s", "init s", "step s", "<end"},
                                            {"total s", "start-up s", "processor s", "memory MB"}};
    const char *const *after = afters[external];
    int count = 0;
    const Metric *rows = metric_rows(&count);
    TextTable *out = text_table_create(
        external ? "External programs: error of each model, as posed and measured by the harness"
                 : "Decomposition: error of each model, as posed and measured by the harness",
        "?data set|?method|?parameters|bones");
    for (int i = 0; i < count; i++)
        if (rows[i].column_title)
            text_table_column_add(out, rows[i].column_title);
    for (int i = 0; i < 4; i++)
        text_table_column_add(out, after[i]);
    for (const Record *record = NULL; (record = record_view_next(records, record));)
        if (record->cell.kind == CELL_DECOMPOSITION && record->status == RECORD_OK &&
            (record->external != NULL) == external) {
            char parameters[256], data[DATASET_LABEL_BYTES];
            cell_parameters_format(&record->cell, parameters, sizeof parameters);
            dataset_label(records, &record->cell, data);
            text_table_row(out, data, record->cell.method, parameters, NULL);
            text_table_cell(out, "%d", record->fit.bones_delivered);
            for (int i = 0; i < count; i++)
                if (rows[i].column_title)
                    number_cell(out, records, record,
                                rows[i].column_factor * record_metric(record, rows[i].name),
                                rows[i].column_digits);
            stage_cell(out, records, record, STAGE_TOTAL, 1.0);
            if (external) {
                text_table_number(out, record->external->startup_s, 2);
                text_table_number(out, record->external->processor_s, 3);
                text_table_number(out, 1e-6 * record->external->peak_bytes, 3);
                continue;
            }
            stage_cell(out, records, record, STAGE_INITIALIZATION, 1.0);
            stage_cell(out, records, record, STAGE_STEP, 1.0);
            text_table_cell(out, "%s", record->fit.end);
        }
    return out;
}

TextTable *counts_table(const RecordView *records)
{
    static const CellKind kinds[] = {CELL_SKINNING, CELL_DECOMPOSITION, CELL_STUDY};
    int counts[CELL_KIND_COUNT][RECORD_STATUS_COUNT] = {{0}};
    TextTable *out = text_table_create("Cells", "<kind|ok|skipped|wrong|failed");
    for (const Record *record = NULL; (record = record_view_next(records, record));)
        counts[record->cell.kind][record->status]++;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        text_table_row(out, cell_kind_names[kinds[k]], NULL);
        for (int s = 0; s < RECORD_STATUS_COUNT; s++)
            text_table_cell(out, "%d", counts[kinds[k]][s]);
    }
    return out;
}

TextTable *reasons_table(const RecordView *records)
{
    TextTable *out = text_table_create("Cells without a number",
                                       "?data set or row|?method, study or table|?backend|?status|<reason");
    for (const Record *record = NULL; (record = record_view_next(records, record));) {
        const Cell *cell = &record->cell;
        if (record->status == RECORD_OK)
            continue;
        text_table_row(out, cell->row[0] ? cell->row : cell->dataset.name,
                       cell->kind == CELL_STUDY ? cell->study
                       : cell->kind == CELL_ROW ? cell->table
                                                : cell->method,
                       cell->backend, record_status_names[record->status], record->reason, NULL);
        text_table_record(out, records, record, NAN);
    }
    return out;
}

const Record *next_dataset(const RecordView *records, CellKind kind, const Record *previous)
{
    for (const Record *record = previous; (record = record_view_next(records, record));) {
        const Record *first = NULL;
        if (record->cell.kind != kind)
            continue;
        do
            first = record_view_next_of(records, record->cell.dataset.sha256, first);
        while (first->cell.kind != kind);
        if (first == record)
            return record;
    }
    return NULL;
}

/* Reads and writes records as JSON. Tables describe the simple members; functions handle members whose
 * names depend on the content. The file is long so that the on-disk form of a record stays in one place. */
#include "harness/records/files/record_json.h"

#include "datasets/io/json_table.h"

/* ---- measures and counters ---- */

/* Returns the kind of a number in JSON. A number may be negative unless it is a metric. Among metrics, only
 * percentages for which neither direction is better may be negative: they measure a change. */
static JsonKind measure_kind(const char *name)
{
    const Metric *metric = metric_find(name);
    const bool is_change = metric && metric->better == METRIC_NEITHER && strcmp(metric->unit, "%") == 0;
    return metric && !is_change ? JSON_KIND_AMOUNT : JSON_KIND_REAL;
}

static json_t *measures_write(const Measures *measures, bool numbers, bool curves)
{
    json_t *object = json_object();
    for (int i = 0; i < measures->count; i++) {
        const Measure *measure = &measures->items[i];
        if (measure->curve ? curves : numbers)
            json_set(object, measure->name,
                     measure->curve ? json_write_reals(measure->curve, measure->count)
                                    : json_write_number(measure_kind(measure->name), measure->value));
    }
    return object;
}

json_t *measures_to_json(const void *measures)
{
    return measures_write(measures, true, true);
}

/* Reads numbers and arrays of numbers into measures. Skips the member named `apart`, which the caller reads
 * itself. */
static Status measures_add_json(Measures *out, const json_t *members, const char *where, const char *apart)
{
    const char *key = NULL;
    json_t *value = NULL;
    char place[JSON_WHERE_BYTES];
    if (!json_is_object(members) && !json_is_null(members))
        return json_unexpected(where, members, "an object");
    json_object_foreach((json_t *)members, key, value)
    {
        json_place(place, where, key, 0);
        STATUS_TRY(json_name_check(key, MEASURE_NAME_BYTES, where));
        if (strcmp(key, apart) == 0)
            continue;
        if (json_is_array(value)) {
            double *curve = NULL;
            int count = 0;
            STATUS_TRY(json_read_reals(value, place, &curve, &count));
            measures_add_curve(out, key, curve, count);
            memory_free(curve);
        } else if (json_is_number(value) || json_is_null(value)) {
            if (!json_is_null(value))
                STATUS_TRY(json_number_check(measure_kind(key), value, place));
            measures_add(out, key, json_is_null(value) ? NAN : json_number_value(value));
        } else {
            return json_unexpected(place, value, "a number or an array");
        }
    }
    return measures_status(out);
}

json_t *record_metrics_to_json(const void *member)
{
    const Record *record = member;
    if (record->metrics.count == 0)
        return json_null();
    json_t *object = measures_to_json(&record->metrics);
    if (record->held.count > 0)
        json_set(object, "holdout", measures_to_json(&record->held));
    return object;
}

static Status metrics_read(const json_t *value, const char *where, void *member)
{
    Record *record = member;
    const json_t *held = json_object_get(value, "holdout");
    char place[JSON_WHERE_BYTES];
    json_place(place, where, "holdout", 0);
    STATUS_TRY(measures_add_json(&record->metrics, value, where, "holdout"));
    return held ? measures_add_json(&record->held, held, place, "") : status_ok();
}

/* Writes the member `measures` of a study, which a failed study does not have. */
static json_t *numbers_write(const void *member)
{
    const Record *record = member;
    return record->status == RECORD_OK ? measures_write(&record->measures, true, false) : json_null();
}

static Status numbers_read(const json_t *value, const char *where, void *member)
{
    return measures_add_json(&((Record *)member)->measures, value, where, "");
}

/* Functions for members that are Measures: `curves` has the curves of a study, `worst` the numbers by which a
 * failed score counts. */
static json_t *curves_write(const void *measures)
{
    return measures_write(measures, false, true);
}

static bool curves_are_none(const void *member)
{
    const Measures *measures = member;
    for (int i = 0; i < measures->count; i++)
        if (measures->items[i].curve)
            return false;
    return true;
}

static bool worst_is_none(const void *measures)
{
    return ((const Measures *)measures)->count == 0;
}

static Status measures_read(const json_t *value, const char *where, void *measures)
{
    return measures_add_json(measures, value, where, "");
}

static json_t *timed_write(const void *member)
{
    const Measures *measures = &((const Record *)member)->measures;
    json_t *names = json_array();
    for (int i = 0; i < measures->count; i++)
        if (measures->items[i].timed)
            json_array_append_new(names, json_string(measures->items[i].name));
    return names;
}

static bool timed_are_none(const void *member)
{
    const Record *record = member;
    const Measures *measures = &record->measures;
    for (int i = 0; i < measures->count && record->status == RECORD_OK; i++)
        if (measures->items[i].timed)
            return false;
    return true;
}

/* Reads the names of the measures that are times. The measures must have been read before. */
static Status timed_read(const json_t *value, const char *where, void *member)
{
    const Measures *measures = &((const Record *)member)->measures;
    size_t index = 0;
    json_t *name = NULL;
    if (!json_is_array(value))
        return json_unexpected(where, value, "an array");
    json_array_foreach((json_t *)value, index, name)
    {
        Measure *measure =
            json_is_string(name) ? (Measure *)measures_find(measures, json_string_value(name)) : NULL;
        if (!measure)
            return json_unexpected(where, name, "the name of a measure or a curve");
        measure->timed = true;
    }
    return status_ok();
}

static const JsonTable counter_table = JSON_TABLE(RecordCounter, JSON_FIELD(RecordCounter, mean, AMOUNT),
                                                  JSON_FIELD(RecordCounter, max, AMOUNT));

static json_t *counters_write(const void *member)
{
    const Record *record = member;
    json_t *object = json_object();
    for (int i = 0; i < record->counter_count; i++)
        json_set(object, record->counters[i].name, json_write(&counter_table, &record->counters[i]));
    return object;
}

static bool counters_are_none(const void *member)
{
    return ((const Record *)member)->counter_count == 0;
}

static Status counters_read(const json_t *value, const char *where, void *member)
{
    Record *record = member;
    const char *name = NULL;
    char place[JSON_WHERE_BYTES];
    json_t *counts = NULL;
    ALLOCATE(record->counters, json_object_size(value), "the counters of a result");
    json_object_foreach((json_t *)value, name, counts)
    {
        RecordCounter *counter = &record->counters[record->counter_count++];
        *counter = (RecordCounter){.mean = NAN, .max = NAN};
        STATUS_TRY(json_name_check(name, sizeof counter->name, where));
        snprintf(counter->name, sizeof counter->name, "%s", name);
        json_place(place, where, name, 0);
        STATUS_TRY(json_read(counts, place, &counter_table, counter));
    }
    return status_ok();
}

/* Writes a text, which may be as long as an error message. */
static json_t *text_write(const void *member)
{
    return json_text(*(const char *const *)member);
}

static bool text_is_none(const void *member)
{
    return **(const char *const *)member == '\0';
}

static Status text_read(const json_t *value, const char *where, void *member)
{
    if (!json_is_null(value) && !json_is_string(value))
        return json_unexpected(where, value, "a text");
    if (json_string_length(value) >= REASON_BYTES)
        return json_unexpected(where, value, "a shortened text");
    record_set_text(member, json_is_null(value) ? "" : json_string_value(value));
    return status_ok();
}

static const JsonCustom metrics_json = {record_metrics_to_json, metrics_read, NULL},
                        numbers_json = {numbers_write, numbers_read, NULL},
                        curves_json = {curves_write, measures_read, curves_are_none},
                        worst_json = {measures_to_json, measures_read, worst_is_none},
                        times_json = {timed_write, timed_read, timed_are_none},
                        counters_json = {counters_write, counters_read, counters_are_none},
                        text_json = {text_write, text_read, text_is_none};

/* ---- times ---- */

#define STATISTIC(member) JSON_FIELD_AS(StageTime, statistics.member, SECONDS, #member "_s", WRITTEN)
static const JsonTable stage_table = JSON_TABLE(
    StageTime, STATISTIC(median), STATISTIC(minimum), STATISTIC(quartile_low), STATISTIC(quartile_high),
    STATISTIC(interval_low), STATISTIC(interval_high), JSON_FIELD(StageTime, inner, COUNT),
    JSON_LIST(StageTime, samples, sample_count, "samples_s", &json_seconds, WRITTEN));

static const JsonTable interval_table =
    JSON_TABLE(Interval, JSON_FIELD(Interval, median, AMOUNT),
               JSON_FIELD_AS(Interval, low, AMOUNT, "interval_low", WRITTEN),
               JSON_FIELD_AS(Interval, high, AMOUNT, "interval_high", WRITTEN));

static const JsonTable timed_table =
    JSON_TABLE(Timing, JSON_FIELD_AS(Timing, disturbed, COUNT, "disturbed", OMITTED));

static const JsonTable roof_table =
    JSON_TABLE(Roof, JSON_FIELD(Roof, cycles_per_ns, AMOUNT), JSON_FIELD(Roof, arithmetic_ns, AMOUNT),
               JSON_FIELD(Roof, arithmetic_tiled_ns, AMOUNT), JSON_FIELD(Roof, loads_ns, AMOUNT),
               JSON_FIELD(Roof, lanes_ns, AMOUNT), JSON_FIELD(Roof, packed_ns, AMOUNT),
               JSON_FIELD(Roof, memory, TERM), JSON_FIELD_AS(Roof, beaten, TERM, "beaten", OMITTED));

static const JsonTable device_table =
    JSON_TABLE(DeviceTiming, JSON_FIELD(DeviceTiming, kernel_s, SECONDS),
               JSON_FIELD(DeviceTiming, cold_kernel_s, SECONDS), JSON_FIELD(DeviceTiming, copy_s, SECONDS),
               JSON_FIELD(DeviceTiming, cold_copy_s, SECONDS), JSON_FIELD(DeviceTiming, moved_bytes, AMOUNT),
               JSON_FIELD(DeviceTiming, frame_kernel_s, SECONDS), JSON_FIELD(DeviceTiming, upload_s, SECONDS),
               JSON_FIELD(DeviceTiming, download_s, SECONDS));

/* Members of cells that were timed in interleaved rounds. */
static const JsonTable rounds_table = JSON_TABLE(
    Timing, JSON_GROUP(Timing, device, "device", &device_table, OMITTED),
    JSON_FIELD_AS(Timing, frame_straight, SHARE, "frame_straight", OMITTED),
    JSON_FIELD_AS(Timing, rounds, COUNT, "rounds", OMITTED), JSON_FIELD_AS(Timing, end, NAME, "end", OMITTED),
    JSON_GROUP(Timing, roof, "roof", &roof_table, OMITTED));

static json_t *timing_write(const void *member)
{
    const Timing *timing = member;
    if (!timing->timed)
        return json_null();
    json_t *object = json_object();
    for (int i = 0; i < STAGE_COUNT; i++)
        if (!isnan(timing_stage(timing, (Stage)i)->statistics.median))
            json_set(object, stage_names[i], json_write(&stage_table, timing_stage(timing, (Stage)i)));
    json_store(object, &timed_table, timing);
    if (timing->rounds < 0)
        return object;
    json_store(object, &rounds_table, timing);
    for (int i = 0; i < DERIVED_COUNT; i++)
        json_set(object, derived_names[i],
                 isnan(timing->derived[i].median) ? json_null()
                                                  : json_write(&interval_table, &timing->derived[i]));
    return object;
}

/* Reads a member that is a struct. Leaves it unchanged if the member is absent or null. */
static Status group_read(const json_t *object, const char *where, const char *name, const JsonTable *table,
                         void *into)
{
    const json_t *member = json_object_get(object, name);
    char place[JSON_WHERE_BYTES];
    json_place(place, where, name, 0);
    return member && !json_is_null(member) ? json_read(member, place, table, into) : status_ok();
}

/* Older files call the frame stage "end_to_end". They timed it differently: as skinning in bound order and
 * then reading each frame. */
static const char STAGE_FRAME_BEFORE[] = "end_to_end";
static const char *const derived_names_before[DERIVED_COUNT] = {
    [DERIVED_FRAME_NS_PER_VERTEX] = "end_to_end_ns_per_vertex",
    [DERIVED_FRAME_RATIO_TO_LBS] = "ratio_to_lbs_end_to_end"};

static Status timing_read(const json_t *value, const char *where, void *member)
{
    Timing *timing = member;
    if (json_is_null(value))
        return status_ok();
    STATUS_TRY(json_read(value, where, &timed_table, timing));
    STATUS_TRY(json_read(value, where, &rounds_table, timing));
    for (int i = -1; i < STAGE_COUNT; i++) {
        const char *name = i < 0 ? STAGE_FRAME_BEFORE : stage_names[i];
        StageTime *stage = NULL;
        if (json_is_object(json_object_get(value, name))) {
            stage = timing_stage_make(timing, i < 0 ? STAGE_FRAME : (Stage)i);
            ALLOCATED(stage, "the times of a result");
            memory_free(stage->samples); /* not empty if the file contains the frame stage under its old and
                                            its new name */
            stage->samples = NULL;
        }
        STATUS_TRY(group_read(value, where, name, &stage_table, stage));
        if (stage)
            stage->statistics.count = (size_t)stage->sample_count;
    }
    for (int i = 0; i < DERIVED_COUNT; i++) {
        if (derived_names_before[i])
            STATUS_TRY(
                group_read(value, where, derived_names_before[i], &interval_table, &timing->derived[i]));
        STATUS_TRY(group_read(value, where, derived_names[i], &interval_table, &timing->derived[i]));
    }
    timing->timed = true;
    return status_ok();
}

static const JsonCustom timing_json = {timing_write, timing_read, NULL};

/* ---- fits ---- */

static const JsonTable descent_table =
    JSON_TABLE(DescentPoint, JSON_FIELD(DescentPoint, iteration, COUNT),
               JSON_FIELD(DescentPoint, e_rms, AMOUNT), JSON_FIELD(DescentPoint, elapsed_s, SECONDS));

static const JsonTable fit_table =
    JSON_TABLE(FitFacts, JSON_FIELD(FitFacts, end, NAME), JSON_FIELD(FitFacts, bones_requested, COUNT),
               JSON_FIELD(FitFacts, bones_delivered, COUNT), JSON_FIELD(FitFacts, reduced_dimension, COUNT),
               JSON_FIELD(FitFacts, singular_systems, COUNT), JSON_FIELD(FitFacts, size_bytes, WHOLE),
               JSON_FIELD_AS(FitFacts, transforms, NAME, "transforms", OMITTED),
               JSON_FIELD_AS(FitFacts, rest_pose, NAME, "rest_pose", OMITTED),
               JSON_LIST(FitFacts, descent, descent_count, "iterations", &descent_table, WRITTEN),
               JSON_LIST(FitFacts, stages, stage_count, "stages", &descent_table, OMITTED));

static const JsonTable trial_table = JSON_TABLE(
    SearchTrial, JSON_FIELD(SearchTrial, bones, COUNT), JSON_FIELD(SearchTrial, bones_delivered, COUNT),
    JSON_FIELD(SearchTrial, e_rms, AMOUNT), JSON_FIELD(SearchTrial, total_s, SECONDS));
static const JsonTable search_table =
    JSON_TABLE(FitFacts, JSON_LIST(FitFacts, trials, trial_count, "search", &trial_table, OMITTED));

Status fit_facts_write(json_t *object, const FitFacts *fit)
{
    const bool made =
        (!fit->known || json_store(object, &fit_table, fit)) && json_store(object, &search_table, fit);
    return made ? status_ok() : status_out_of_memory("a result");
}

/* ---- external programs ---- */

static const JsonTable external_facts_table = JSON_TABLE(
    ExternalFacts, JSON_FIELD(ExternalFacts, sha256, DIGEST), JSON_FIELD(ExternalFacts, version, LABEL),
    JSON_FIELD(ExternalFacts, command, LABEL), JSON_FIELD(ExternalFacts, deterministic, FLAG),
    JSON_FIELD_AS(ExternalFacts, exit_code, INTEGER, "exit_code", NULL),
    JSON_FIELD(ExternalFacts, wall_s, SECONDS), JSON_FIELD(ExternalFacts, processor_s, SECONDS),
    JSON_FIELD(ExternalFacts, peak_bytes, AMOUNT), JSON_FIELD(ExternalFacts, startup_s, SECONDS),
    JSON_FIELD_AS(ExternalFacts, reported_s, SECONDS, "reported_s", OMITTED));

json_t *external_facts_to_json(const ExternalFacts *facts)
{
    return json_write(&external_facts_table, facts);
}

static json_t *external_write(const void *member)
{
    return external_facts_to_json(*(ExternalFacts *const *)member);
}

static Status external_read_json(const json_t *value, const char *where, void *member)
{
    ExternalFacts *facts = NULL;
    ALLOCATE(facts, 1, "a result");
    *facts = (ExternalFacts){.exit_code = -1, .startup_s = NAN, .reported_s = NAN};
    *(ExternalFacts **)member = facts;
    return json_read(value, where, &external_facts_table, facts);
}

static bool external_is_none(const void *member)
{
    return *(ExternalFacts *const *)member == NULL;
}

static const JsonCustom external_json = {external_write, external_read_json, external_is_none};

/* ---- cells and records ---- */

static json_t *parameters_write(const void *member)
{
    Argument *parameters = *(Argument *const *)member;
    return parameters ? json_incref(parameters) : json_object();
}

static Status parameters_read(const json_t *value, const char *where, void *member)
{
    if (!json_is_object(value))
        return json_unexpected(where, value, "an object");
    STATUS_TRY(argument_check(value, where));
    return argument_copy(value, member);
}

static const JsonCustom parameters_json = {parameters_write, parameters_read, NULL};

static const JsonTable dataset_table =
    JSON_TABLE(CellDataset, JSON_FIELD(CellDataset, sha256, DIGEST), JSON_FIELD(CellDataset, name, LABEL),
               JSON_FIELD(CellDataset, vertices, COUNT), JSON_FIELD(CellDataset, triangles, COUNT),
               JSON_FIELD(CellDataset, frames, COUNT), JSON_FIELD(CellDataset, joints, COUNT),
               JSON_FIELD(CellDataset, influences, COUNT));

/* A table row for a member whose value is computed from the whole record. */
#define OF_RECORD(name, functions, empty)                                                                    \
    {                                                                                                        \
        (name), JSON_KIND_CUSTOM, 0, sizeof(Record), JSON_EMPTY_##empty, NULL, NULL, 0, (functions)          \
    }

static const JsonTable record_table = JSON_TABLE(
    Record, JSON_WORD(Record, cell.kind, "kind", cell_kind_names),
    JSON_GROUP(Record, cell.dataset, "dataset", &dataset_table, NULL),
    JSON_WORD(Record, status, "status", record_status_names),
    JSON_FIELD_AS(Record, cell.study, NAME, "study", OMITTED),
    JSON_FIELD_AS(Record, cell.table, NAME, "table", OMITTED),
    JSON_FIELD_AS(Record, cell.row, LABEL, "row", OMITTED), JSON_FIELD_AS(Record, run, STAMP, "run", OMITTED),
    JSON_FIELD_AS(Record, time, STAMP, "time", OMITTED),
    JSON_FIELD_AS(Record, environment, HASH, "environment", OMITTED),
    JSON_CUSTOM(Record, reason, "reason", &text_json, WRITTEN));

static const JsonTable method_table =
    JSON_TABLE(Record, JSON_FIELD_AS(Record, cell.method, NAME, "method", OMITTED),
               JSON_FIELD_AS(Record, cell.backend, NAME, "backend", OMITTED),
               JSON_FIELD_AS(Record, cell.threads, COUNT, "threads", WRITTEN),
               JSON_CUSTOM(Record, cell.parameters, "parameters", &parameters_json, WRITTEN),
               JSON_CUSTOM(Record, external, "external", &external_json, OMITTED));

static const JsonTable measured_table =
    JSON_TABLE(Record, OF_RECORD("metrics", &metrics_json, WRITTEN),
               JSON_CUSTOM(Record, timing, "timing", &timing_json, WRITTEN));

static const JsonTable skinning_table =
    JSON_TABLE(Record, JSON_FIELD_AS(Record, cell.level, NAME, "level", OMITTED),
               JSON_FIELD_AS(Record, cell.frames, COUNT, "frames", WRITTEN),
               JSON_FIELD_AS(Record, cell.normals, FLAG, "normals", WRITTEN),
               JSON_FIELD_AS(Record, cell.two_phase, FLAG, "two_phase", OMITTED),
               JSON_CUSTOM(Record, device, "device", &text_json, NULL),
               JSON_FIELD_AS(Record, joint_sets, COUNT, "joint_sets", OMITTED),
               OF_RECORD("counts", &counters_json, OMITTED));

static const JsonTable study_table = JSON_TABLE(
    Record, OF_RECORD("measures", &numbers_json, WRITTEN),
    JSON_CUSTOM(Record, measures, "curves", &curves_json, OMITTED), OF_RECORD("timed", &times_json, OMITTED));

static const JsonTable score_table =
    JSON_TABLE(Record, JSON_CUSTOM(Record, device, "predicted_sha256", &text_json, WRITTEN),
               JSON_CUSTOM(Record, held, "worst", &worst_json, OMITTED));

/* Member tables of each kind of cell, in addition to record_table. */
static const JsonTable *const tables_of[CELL_KIND_COUNT][4] = {
    [CELL_SKINNING] = {&method_table, &measured_table, &skinning_table},
    [CELL_DECOMPOSITION] = {&method_table, &measured_table},
    [CELL_STUDY] = {&method_table, &study_table},
    [CELL_NOISE] = {&method_table, &study_table, &skinning_table},
    [CELL_PEER] = {&method_table, &measured_table, &skinning_table},
    [CELL_SCORE] = {&method_table, &study_table, &score_table},
};

json_t *record_to_json(const Record *record)
{
    const long failures =
        memory_failures(); /* after a failed allocation, a member would be missing from the object */
    json_t *object = json_object();
    json_set(object, "schema", json_integer(1));
    json_store(object, &record_table, record);
    for (const JsonTable *const *table = tables_of[record->cell.kind]; *table; table++)
        json_store(object, *table, record);
    if (record->cell.kind == CELL_DECOMPOSITION)
        (void)fit_facts_write(object, &record->fit);
    return json_if_made(object, memory_failures() == failures);
}

Status record_from_json(const json_t *object, const char *where, Record *out)
{
    *out = record_of(&(Cell){0});
    if (!json_object_get(object, "kind"))
        return bad_input("%s: has no kind", where);
    STATUS_TRY(json_read(object, where, &record_table, out));
    for (const JsonTable *const *table = tables_of[out->cell.kind]; *table; table++)
        STATUS_TRY(json_read(object, where, *table, out));
    if (out->cell.kind == CELL_DECOMPOSITION) {
        STATUS_TRY(json_read(object, where, &fit_table, &out->fit));
        STATUS_TRY(json_read(object, where, &search_table, &out->fit));
        out->fit.known = out->fit.end[0] != '\0' || out->fit.descent_count > 0;
    }
    /* Refuse a cell that does not store the digest of its data. It could not be told apart from the same
     * cell on other data without a digest. */
    const bool needs_none =
        out->cell.kind == CELL_STUDY || (out->cell.kind == CELL_ROW && out->status != RECORD_OK);
    if (!needs_none && out->cell.dataset.sha256[0] == '\0')
        return bad_input("%s: has no sha256 of its dataset, so what was measured is unknown; remove the line",
                         where);
    return status_ok();
}

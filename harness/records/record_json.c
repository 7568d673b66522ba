/* The members of a record in JSON: tables of the simple ones, and the few that have a shape of their own. */
#include "harness/records/record_json.h"

#include "datasets/base/memory.h"
#include "harness/records/json_fields.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define AS_TEXT JSON_FIELD_TEXT
#define AS_INTEGER JSON_FIELD_INTEGER
#define AS_WHOLE JSON_FIELD_WHOLE
#define AS_REAL JSON_FIELD_REAL
#define AS_FLAG JSON_FIELD_FLAG
#define FIELDS(table) (table), JSON_FIELD_COUNT(table)

/* ---- tables of members ---- */

static const JsonField dataset_fields[] = {
    JSON_FIELD(CellDataset, name, AS_TEXT),          JSON_FIELD(CellDataset, sha256, AS_TEXT),
    JSON_FIELD(CellDataset, vertices, AS_INTEGER),   JSON_FIELD(CellDataset, triangles, AS_INTEGER),
    JSON_FIELD(CellDataset, frames, AS_INTEGER),     JSON_FIELD(CellDataset, joints, AS_INTEGER),
    JSON_FIELD(CellDataset, influences, AS_INTEGER),
};

static const JsonField method_fields[] = {
    JSON_FIELD_AS(Record, cell.method, AS_TEXT, "method", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, cell.backend, AS_TEXT, "backend", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, cell.threads, AS_INTEGER, "threads", JSON_EMPTY_WRITTEN),
};

static const JsonField skinning_fields[] = {
    JSON_FIELD_AS(Record, cell.level, AS_TEXT, "level", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, cell.frames, AS_INTEGER, "frames", JSON_EMPTY_WRITTEN),
    JSON_FIELD_AS(Record, cell.normals, AS_FLAG, "normals", JSON_EMPTY_WRITTEN),
    JSON_FIELD_AS(Record, cell.two_phase, AS_FLAG, "two_phase", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, device, AS_TEXT, "device", JSON_EMPTY_NULL),
    JSON_FIELD_AS(Record, joint_sets, AS_INTEGER, "joint_sets", JSON_EMPTY_OMITTED),
};

static const JsonField row_fields[] = {
    JSON_FIELD_AS(Record, cell.study, AS_TEXT, "study", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, cell.table, AS_TEXT, "table", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, cell.row, AS_TEXT, "row", JSON_EMPTY_OMITTED),
};

static const JsonField run_fields[] = {
    JSON_FIELD_AS(Record, run, AS_TEXT, "run", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, time, AS_TEXT, "time", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, environment, AS_TEXT, "environment", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Record, reason, AS_TEXT, "reason", JSON_EMPTY_WRITTEN),
};

static const JsonField fit_fields[] = {
    JSON_FIELD(FitFacts, end, AS_TEXT),
    JSON_FIELD(FitFacts, bones_requested, AS_INTEGER),
    JSON_FIELD(FitFacts, bones_delivered, AS_INTEGER),
    JSON_FIELD(FitFacts, reduced_dimension, AS_INTEGER),
    JSON_FIELD(FitFacts, singular_systems, AS_INTEGER),
    JSON_FIELD(FitFacts, size_bytes, AS_WHOLE),
};

static const JsonField descent_fields[] = {
    JSON_FIELD(DescentPoint, iteration, AS_INTEGER),
    JSON_FIELD(DescentPoint, e_rms, AS_REAL),
    JSON_FIELD(DescentPoint, elapsed_s, AS_REAL),
};

static const JsonField trial_fields[] = {
    JSON_FIELD(SearchTrial, bones, AS_INTEGER),
    JSON_FIELD(SearchTrial, bones_delivered, AS_INTEGER),
    JSON_FIELD(SearchTrial, e_rms, AS_REAL),
    JSON_FIELD(SearchTrial, total_s, AS_REAL),
};

static const JsonField counter_fields[] = {JSON_FIELD(RecordCounter, mean, AS_REAL),
                                           JSON_FIELD(RecordCounter, max, AS_REAL)};

#define STATISTIC(member)                                                                                    \
    JSON_FIELD_AS(StageTime, statistics.member, AS_REAL, #member "_s", JSON_EMPTY_WRITTEN)
static const JsonField stage_fields[] = {
    STATISTIC(median),
    STATISTIC(minimum),
    STATISTIC(quartile_low),
    STATISTIC(quartile_high),
    STATISTIC(interval_low),
    STATISTIC(interval_high),
    JSON_FIELD(StageTime, inner, AS_INTEGER),
};

static const JsonField interval_fields[] = {
    JSON_FIELD(Interval, median, AS_REAL),
    JSON_FIELD_AS(Interval, low, AS_REAL, "interval_low", JSON_EMPTY_WRITTEN),
    JSON_FIELD_AS(Interval, high, AS_REAL, "interval_high", JSON_EMPTY_WRITTEN),
};

static const JsonField timing_fields[] = {
    JSON_FIELD_AS(Timing, device_mean_s, AS_REAL, "device_mean_s", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Timing, device_least_s, AS_REAL, "device_least_s", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Timing, rounds, AS_INTEGER, "rounds", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Timing, end, AS_TEXT, "end", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Timing, bytes_per_vertex, AS_REAL, "bytes_per_vertex", JSON_EMPTY_OMITTED),
    JSON_FIELD_AS(Timing, bandwidth_share, AS_REAL, "bandwidth_share", JSON_EMPTY_WRITTEN),
};

/* ---- writing ---- */

/* A new array of [count] structs of `size` bytes. */
static json_t *array_to_json(const JsonField *fields, size_t field_count, const void *from, int count,
                             size_t size)
{
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++)
        if (json_array_append_new(
                array, json_fields_new(fields, field_count, (const char *)from + (size_t)i * size)) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *numbers_to_json(const double *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++)
        if (json_array_append_new(array, json_number_or_null(values[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* The measures that are curves, or those that are not, or all. */
static bool measures_put(json_t *object, const Measures *measures, bool numbers, bool curves)
{
    bool made = object != NULL;
    for (int i = 0; i < measures->count && made; i++) {
        const Measure *measure = &measures->items[i];
        if (measure->curve ? curves : numbers)
            made = json_put(object, measure->name,
                            measure->curve ? numbers_to_json(measure->curve, measure->count)
                                           : json_number_or_null(measure->value));
    }
    return made;
}

static json_t *measures_part(const Measures *measures, bool numbers, bool curves)
{
    json_t *object = json_object();
    if (measures_put(object, measures, numbers, curves))
        return object;
    json_decref(object);
    return NULL;
}

json_t *measures_to_json(const Measures *measures)
{
    return measures_part(measures, true, true);
}

static json_t *stage_to_json(const StageTime *stage)
{
    json_t *object = json_fields_new(FIELDS(stage_fields), stage);
    if (object && !json_put(object, "samples_s", numbers_to_json(stage->samples, stage->sample_count))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *interval_to_json(const Interval *interval)
{
    return isnan(interval->median) ? json_null() : json_fields_new(FIELDS(interval_fields), interval);
}

static json_t *timing_to_json(const Timing *timing, CellKind kind)
{
    json_t *object = json_object();
    bool made = object != NULL;
    for (int i = 0; i < STAGE_COUNT && made; i++)
        if (!isnan(timing->stages[i].statistics.median))
            made = json_put(object, stage_name((Stage)i), stage_to_json(&timing->stages[i]));
    if (kind == CELL_SKINNING) {
        made = made && json_fields_write(object, FIELDS(timing_fields), timing).code == STATUS_OK;
        for (int i = 0; i < DERIVED_COUNT && made; i++)
            made = json_put(object, derived_name((Derived)i), interval_to_json(&timing->derived[i]));
    }
    if (!made) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *counters_to_json(const Record *record)
{
    json_t *object = json_object();
    for (int i = 0; object && i < record->counter_count; i++)
        if (!json_put(object, record->counters[i].name,
                      json_fields_new(FIELDS(counter_fields), &record->counters[i]))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

Status fit_facts_write(json_t *object, const FitFacts *fit)
{
    bool made = object != NULL;
    if (fit->known)
        made = made && json_fields_write(object, FIELDS(fit_fields), fit).code == STATUS_OK &&
               json_put(object, "iterations",
                        array_to_json(FIELDS(descent_fields), fit->descent, fit->descent_count,
                                      sizeof *fit->descent));
    if (fit->trial_count > 0)
        made = made && json_put(object, "search",
                                array_to_json(FIELDS(trial_fields), fit->trials, fit->trial_count,
                                              sizeof *fit->trials));
    return made ? status_ok() : status_out_of_memory("a result");
}

json_t *record_metrics_to_json(const Record *record)
{
    if (record->metrics.count == 0)
        return json_null();
    json_t *metrics = measures_to_json(&record->metrics);
    if (metrics && record->held.count > 0 && !json_put(metrics, "holdout", measures_to_json(&record->held))) {
        json_decref(metrics);
        return NULL;
    }
    return metrics;
}

/* What came of a cell that was run and measured: metrics and times, null where there are none. */
static bool results_put(json_t *object, const Record *record)
{
    const Timing *timing = &record->timing;
    CellKind kind = record->cell.kind;
    bool made = json_put(object, "metrics", record_metrics_to_json(record)) &&
                json_put(object, "timing", timing->timed ? timing_to_json(timing, kind) : json_null());
    if (kind == CELL_SKINNING) {
        made = made && json_fields_write(object, FIELDS(skinning_fields), record).code == STATUS_OK;
        if (record->counter_count > 0)
            made = made && json_put(object, "counts", counters_to_json(record));
    }
    return made && fit_facts_write(object, &record->fit).code == STATUS_OK;
}

static bool study_put(json_t *object, const Record *record)
{
    bool has_curves = false, measured = record->status == RECORD_OK;
    for (int i = 0; i < record->measures.count; i++)
        has_curves = has_curves || record->measures.items[i].curve;
    return json_put(object, "measures",
                    measured ? measures_part(&record->measures, true, false) : json_null()) &&
           (!has_curves || json_put(object, "curves", measures_part(&record->measures, false, true)));
}

json_t *record_to_json(const Record *record)
{
    const Cell *cell = &record->cell;
    json_t *object = json_object();
    bool has_data = cell->dataset.sha256[0] != '\0';
    bool made = object && json_put(object, "schema", json_integer(1)) &&
                json_put(object, "kind", json_string(cell_kind_name(cell->kind))) &&
                json_put(object, "dataset",
                         has_data ? json_fields_new(FIELDS(dataset_fields), &cell->dataset) : json_null());
    if (cell->kind != CELL_ROW)
        made = made && json_fields_write(object, FIELDS(method_fields), record).code == STATUS_OK &&
               json_put(object, "parameters", argument_to_json(&cell->parameters));
    made = made && json_put(object, "status", json_string(record_status_name(record->status))) &&
           json_fields_write(object, FIELDS(row_fields), record).code == STATUS_OK &&
           json_fields_write(object, FIELDS(run_fields), record).code == STATUS_OK;
    if (cell->kind == CELL_SKINNING || cell->kind == CELL_DECOMPOSITION)
        made = made && results_put(object, record);
    if (cell->kind == CELL_STUDY)
        made = made && study_put(object, record);
    if (!made) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* ---- reading ---- */

/* The member where it is there and not null. */
static const json_t *member_of(const json_t *object, const char *name)
{
    const json_t *member = json_object_get(object, name);
    return json_is_null(member) ? NULL : member;
}

/* The numbers of an array, null as NAN. */
static Status numbers_read(const json_t *array, const char *where, const char *name, double **out, int *count)
{
    size_t size = json_array_size(array);
    *out = memory_array(size, sizeof **out);
    if (!*out)
        return status_out_of_memory("the numbers of a result");
    *count = (int)size;
    for (size_t i = 0; i < size; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value) && !json_is_null(value))
            return json_unexpected(where, name, value, "numbers only");
        (*out)[i] = json_is_null(value) ? NAN : json_number_value(value);
    }
    return status_ok();
}

/* An array of structs of `size` bytes. */
static Status array_read(const json_t *object, const char *where, const char *name, const JsonField *fields,
                         size_t field_count, size_t size, void **out, int *count)
{
    const json_t *array = member_of(object, name);
    char place[JSON_PLACE_BYTES];
    Status status = status_ok();
    if (!array)
        return status;
    if (!json_is_array(array))
        return json_unexpected(where, name, array, "an array");
    *out = memory_array(json_array_size(array), size);
    if (!*out)
        return status_out_of_memory("a result");
    *count = (int)json_array_size(array);
    for (int i = 0; i < *count && status.code == STATUS_OK; i++) {
        snprintf(place, sizeof place, "%.300s.%.64s[%d]", where, name, i);
        status = json_fields_read(json_array_get(array, (size_t)i), place, fields, field_count,
                                  (char *)*out + (size_t)i * size);
    }
    return status;
}

/* Numbers and arrays of numbers; `apart`, an object among them, is left to the caller. */
static Status measures_read(const json_t *object, const char *where, const char *name, const char *apart,
                            Measures *out)
{
    const json_t *members = member_of(object, name);
    const char *key = NULL;
    json_t *value = NULL;
    if (members && !json_is_object(members))
        return json_unexpected(where, name, members, "an object");
    json_object_foreach((json_t *)members, key, value)
    {
        double *curve = NULL;
        int count = 0;
        if (strcmp(key, apart) == 0)
            continue;
        if (json_is_array(value)) {
            Status status = numbers_read(value, where, key, &curve, &count);
            if (status.code == STATUS_OK)
                measures_add_curve(out, key, curve, count);
            memory_free(curve);
            if (status.code != STATUS_OK)
                return status;
        } else if (json_is_number(value) || json_is_null(value)) {
            measures_add(out, key, json_is_null(value) ? NAN : json_number_value(value));
        } else {
            return json_unexpected(where, key, value, "a number or an array");
        }
    }
    return measures_status(out);
}

static Status stage_read(const json_t *timing, const char *where, Stage stage, StageTime *out)
{
    const char *name = stage_name(stage);
    const json_t *samples = json_object_get(json_object_get(timing, name), "samples_s");
    Status status = json_group_read(timing, where, name, FIELDS(stage_fields), out);
    if (status.code == STATUS_OK && samples)
        status = numbers_read(samples, where, name, &out->samples, &out->sample_count);
    out->statistics.count = (size_t)out->sample_count;
    return status;
}

static Status timing_read(const json_t *object, const char *where, Timing *out)
{
    const json_t *timing = member_of(object, "timing");
    char place[JSON_PLACE_BYTES];
    Status status;
    if (!timing)
        return status_ok();
    json_place(place, where, "timing");
    STATUS_TRY(json_fields_read(timing, place, FIELDS(timing_fields), out));
    for (int i = 0; i < STAGE_COUNT; i++)
        STATUS_TRY(stage_read(timing, place, (Stage)i, &out->stages[i]));
    for (int i = 0; i < DERIVED_COUNT; i++)
        STATUS_TRY(json_group_read(timing, place, derived_name((Derived)i), FIELDS(interval_fields),
                                   &out->derived[i]));
    out->timed = true;
done:
    return status;
}

static Status counters_read(const json_t *object, const char *where, Record *out)
{
    const json_t *counts = member_of(object, "counts");
    const char *name = NULL;
    json_t *value = NULL;
    Status status = status_ok();
    if (!counts)
        return status;
    out->counters = memory_array(json_object_size(counts), sizeof *out->counters);
    if (!out->counters)
        return status_out_of_memory("the counters of a result");
    json_object_foreach((json_t *)counts, name, value)
    {
        RecordCounter *counter = &out->counters[out->counter_count++];
        *counter = (RecordCounter){.mean = NAN, .max = NAN};
        snprintf(counter->name, sizeof counter->name, "%s", name);
        STATUS_TRY(json_fields_read(value, where, FIELDS(counter_fields), counter));
    }
done:
    return status;
}

static Status fit_facts_read(const json_t *object, const char *where, FitFacts *out)
{
    Status status;
    void *descent = NULL, *trials = NULL;
    STATUS_TRY(json_fields_read(object, where, FIELDS(fit_fields), out));
    status = array_read(object, where, "iterations", FIELDS(descent_fields), sizeof *out->descent, &descent,
                        &out->descent_count);
    out->descent = descent;
    STATUS_TRY(status);
    status = array_read(object, where, "search", FIELDS(trial_fields), sizeof *out->trials, &trials,
                        &out->trial_count);
    out->trials = trials;
    out->known = out->end[0] != '\0' || out->descent_count > 0;
done:
    return status;
}

/* The value of a member that is one of some words, by its number; `otherwise` where it is absent. */
static Status word_read(const json_t *object, const char *where, const char *member,
                        const char *(*name_of)(int), int count, int *out)
{
    const json_t *value = json_object_get(object, member);
    for (int i = 0; i < count && value; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), name_of(i)) == 0) {
            *out = i;
            return status_ok();
        }
    return value ? json_unexpected(where, member, value, "one of those in results/README.md") : status_ok();
}

static const char *kind_name_at(int kind)
{
    return cell_kind_name((CellKind)kind);
}

static const char *status_name_at(int status)
{
    return record_status_name((RecordStatus)status);
}

static Status cell_read(const json_t *object, const char *where, Cell *out)
{
    const json_t *parameters = member_of(object, "parameters");
    int kind = CELL_KIND_COUNT;
    Status status;
    STATUS_TRY(word_read(object, where, "kind", kind_name_at, CELL_KIND_COUNT, &kind));
    if (kind == CELL_KIND_COUNT)
        return status_make(STATUS_BAD_INPUT, "%s: has no kind", where);
    out->kind = (CellKind)kind;
    STATUS_TRY(json_group_read(object, where, "dataset", FIELDS(dataset_fields), &out->dataset));
    if (parameters && !json_is_object(parameters))
        return json_unexpected(where, "parameters", parameters, "an object");
    if (parameters)
        STATUS_TRY(argument_from_json(parameters, &out->parameters));
done:
    return status;
}

Status record_from_json(const json_t *object, const char *where, Record *out)
{
    int ended = RECORD_FAILED;
    Status status;
    *out = record_of(&(Cell){0});
    STATUS_TRY(cell_read(object, where, &out->cell));
    STATUS_TRY(word_read(object, where, "status", status_name_at, RECORD_STATUS_COUNT, &ended));
    out->status = (RecordStatus)ended;
    STATUS_TRY(json_fields_read(object, where, FIELDS(method_fields), out));
    STATUS_TRY(json_fields_read(object, where, FIELDS(row_fields), out));
    STATUS_TRY(json_fields_read(object, where, FIELDS(run_fields), out));
    if (out->cell.kind == CELL_SKINNING) {
        STATUS_TRY(json_fields_read(object, where, FIELDS(skinning_fields), out));
        STATUS_TRY(counters_read(object, where, out));
    } else if (out->cell.kind == CELL_DECOMPOSITION) {
        STATUS_TRY(fit_facts_read(object, where, &out->fit));
    }
    STATUS_TRY(measures_read(object, where, "metrics", "holdout", &out->metrics));
    STATUS_TRY(measures_read(json_object_get(object, "metrics"), where, "holdout", "", &out->held));
    STATUS_TRY(measures_read(object, where, "measures", "", &out->measures));
    STATUS_TRY(measures_read(object, where, "curves", "", &out->measures));
    STATUS_TRY(timing_read(object, where, &out->timing));
done:
    if (status.code != STATUS_OK)
        record_clear(out);
    return status;
}

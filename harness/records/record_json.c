/* The members of a record in JSON: tables of the simple ones, and functions for those named by their content. */
#include "harness/records/record_json.h"

#include "datasets/base/memory.h"
#include "harness/records/json_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The object if it was made whole; else it is released. */
static json_t *if_made(json_t *object, bool made)
{
    if (made)
        return object;
    json_decref(object);
    return NULL;
}

/* json_object_set_new takes NULL for memory that is out, and fails. */
static bool put(json_t *object, const char *name, json_t *member)
{
    return json_object_set_new(object, name, member) == 0;
}

/* ---- measures and counters ---- */

static json_t *measures_write(const Measures *measures, bool numbers, bool curves)
{
    json_t *object = json_object();
    bool made = object != NULL;
    for (int i = 0; i < measures->count && made; i++) {
        const Measure *measure = &measures->items[i];
        if (measure->curve ? curves : numbers)
            made = put(object, measure->name,
                       measure->curve ? json_write_reals(measure->curve, measure->count)
                                      : json_number_or_null(measure->value));
    }
    return if_made(object, made);
}

json_t *measures_to_json(const Measures *measures)
{
    return measures_write(measures, true, true);
}

/* Numbers and arrays of numbers; the member `apart` is left to the caller. */
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
        if (strcmp(key, apart) == 0)
            continue;
        if (json_is_array(value)) {
            double *curve = NULL;
            int count = 0;
            Status status = json_read_reals(value, place, &curve, &count);
            if (status.code != STATUS_OK)
                return status;
            measures_add_curve(out, key, curve, count);
            memory_free(curve);
        } else if (json_is_number(value) || json_is_null(value)) {
            measures_add(out, key, json_is_null(value) ? NAN : json_number_value(value));
        } else {
            return json_unexpected(place, value, "a number or an array");
        }
    }
    return measures_status(out);
}

/* `metrics`, with those of the held-out frames in it; null where there are none. */
static json_t *metrics_write(const void *member)
{
    const Record *record = member;
    json_t *object = record->metrics.count > 0 ? measures_to_json(&record->metrics) : json_null();
    return if_made(object, object && (record->metrics.count == 0 || record->held.count == 0 ||
                                      put(object, "holdout", measures_to_json(&record->held))));
}

json_t *record_metrics_to_json(const Record *record)
{
    return metrics_write(record);
}

static Status metrics_read(const json_t *value, const char *where, void *member)
{
    Record *record = member;
    const json_t *held = json_object_get(value, "holdout");
    char place[JSON_WHERE_BYTES];
    json_place(place, where, "holdout", 0);
    Status status = measures_add_json(&record->metrics, value, where, "holdout");
    return status.code == STATUS_OK && held ? measures_add_json(&record->held, held, place, "") : status;
}

/* `measures` and `curves` of a study stand side by side; a study that failed has none. */
static json_t *numbers_write(const void *member)
{
    const Record *record = member;
    return record->status == RECORD_OK ? measures_write(&record->measures, true, false) : json_null();
}

static json_t *curves_write(const void *member)
{
    return measures_write(&((const Record *)member)->measures, false, true);
}

static bool curves_are_none(const void *member)
{
    const Measures *measures = &((const Record *)member)->measures;
    for (int i = 0; i < measures->count; i++)
        if (measures->items[i].curve)
            return false;
    return true;
}

static Status study_read(const json_t *value, const char *where, void *member)
{
    return measures_add_json(&((Record *)member)->measures, value, where, "");
}

static const JsonField counter_rows[] = {JSON_FIELD(RecordCounter, mean, REAL),
                                         JSON_FIELD(RecordCounter, max, REAL)};
static const JsonTable counter_table = JSON_TABLE(RecordCounter, counter_rows);

static json_t *counters_write(const void *member)
{
    const Record *record = member;
    json_t *object = json_object();
    bool made = object != NULL;
    for (int i = 0; i < record->counter_count && made; i++)
        made = put(object, record->counters[i].name, json_write(&counter_table, &record->counters[i]));
    return if_made(object, made);
}

static bool counters_are_none(const void *member)
{
    return ((const Record *)member)->counter_count == 0;
}

static Status counters_read(const json_t *value, const char *where, void *member)
{
    Record *record = member;
    const char *name = NULL;
    json_t *counts = NULL;
    Status status = status_ok();
    record->counters = memory_array(json_object_size(value), sizeof *record->counters);
    if (!record->counters)
        return status_out_of_memory("the counters of a result");
    json_object_foreach((json_t *)value, name, counts)
    {
        RecordCounter *counter = &record->counters[record->counter_count++];
        *counter = (RecordCounter){.mean = NAN, .max = NAN};
        snprintf(counter->name, sizeof counter->name, "%s", name);
        STATUS_TRY(json_read(counts, where, &counter_table, counter));
    }
done:
    return status;
}

static const JsonCustom metrics_json = {metrics_write, metrics_read, NULL},
                        numbers_json = {numbers_write, study_read, NULL},
                        curves_json = {curves_write, study_read, curves_are_none},
                        counters_json = {counters_write, counters_read, counters_are_none};

/* ---- times ---- */

#define STATISTIC(member) JSON_FIELD_AS(StageTime, statistics.member, REAL, #member "_s", WRITTEN)
static const JsonField stage_rows[] = {
    STATISTIC(median),
    STATISTIC(minimum),
    STATISTIC(quartile_low),
    STATISTIC(quartile_high),
    STATISTIC(interval_low),
    STATISTIC(interval_high),
    JSON_FIELD(StageTime, inner, INTEGER),
    JSON_ELEMENTS(StageTime, samples, sample_count, LIST, "samples_s", &json_reals, WRITTEN),
};
static const JsonTable stage_table = JSON_TABLE(StageTime, stage_rows);

static const JsonField interval_rows[] = {
    JSON_FIELD(Interval, median, REAL),
    JSON_FIELD_AS(Interval, low, REAL, "interval_low", WRITTEN),
    JSON_FIELD_AS(Interval, high, REAL, "interval_high", WRITTEN),
};
static const JsonTable interval_table = JSON_TABLE(Interval, interval_rows);

/* Of cells that were timed in rounds. */
static const JsonField rounds_rows[] = {
    JSON_FIELD_AS(Timing, device_mean_s, REAL, "device_mean_s", OMITTED),
    JSON_FIELD_AS(Timing, device_least_s, REAL, "device_least_s", OMITTED),
    JSON_FIELD_AS(Timing, rounds, INTEGER, "rounds", OMITTED),
    JSON_FIELD_AS(Timing, end, TEXT, "end", OMITTED),
    JSON_FIELD_AS(Timing, bytes_per_vertex, REAL, "bytes_per_vertex", OMITTED),
    JSON_FIELD_AS(Timing, bandwidth_share, REAL, "bandwidth_share", WRITTEN),
};
static const JsonTable rounds_table = JSON_TABLE(Timing, rounds_rows);

static json_t *timing_write(const void *member)
{
    const Timing *timing = member;
    json_t *object = timing->timed ? json_object() : json_null();
    bool made = object != NULL;
    for (int i = 0; i < STAGE_COUNT && made && timing->timed; i++)
        if (!isnan(timing->stages[i].statistics.median))
            made = put(object, stage_names[i], json_write(&stage_table, &timing->stages[i]));
    if (timing->timed && timing->rounds >= 0) {
        made = made && json_put(object, &rounds_table, timing);
        for (int i = 0; i < DERIVED_COUNT && made; i++)
            made = put(object, derived_names[i],
                       isnan(timing->derived[i].median) ? json_null()
                                                        : json_write(&interval_table, &timing->derived[i]));
    }
    return if_made(object, made);
}

/* Reads a member that is a struct; nothing where it is absent or null. */
static Status group_read(const json_t *object, const char *where, const char *name, const JsonTable *table,
                         void *into)
{
    const json_t *member = json_object_get(object, name);
    char place[JSON_WHERE_BYTES];
    json_place(place, where, name, 0);
    return member && !json_is_null(member) ? json_read(member, place, table, into) : status_ok();
}

static Status timing_read(const json_t *value, const char *where, void *member)
{
    Timing *timing = member;
    Status status = status_ok();
    if (json_is_null(value))
        return status;
    STATUS_TRY(json_read(value, where, &rounds_table, timing));
    for (int i = 0; i < STAGE_COUNT; i++) {
        StageTime *stage = &timing->stages[i];
        STATUS_TRY(group_read(value, where, stage_names[i], &stage_table, stage));
        stage->statistics.count = (size_t)stage->sample_count;
    }
    for (int i = 0; i < DERIVED_COUNT; i++)
        STATUS_TRY(group_read(value, where, derived_names[i], &interval_table, &timing->derived[i]));
    timing->timed = true;
done:
    return status;
}

static const JsonCustom timing_json = {timing_write, timing_read, NULL};

/* ---- fits ---- */

static const JsonField descent_rows[] = {
    JSON_FIELD(DescentPoint, iteration, INTEGER),
    JSON_FIELD(DescentPoint, e_rms, REAL),
    JSON_FIELD(DescentPoint, elapsed_s, REAL),
};
static const JsonTable descent_table = JSON_TABLE(DescentPoint, descent_rows);

static const JsonField fit_rows[] = {
    JSON_FIELD(FitFacts, end, TEXT),
    JSON_FIELD(FitFacts, bones_requested, INTEGER),
    JSON_FIELD(FitFacts, bones_delivered, INTEGER),
    JSON_FIELD(FitFacts, reduced_dimension, INTEGER),
    JSON_FIELD(FitFacts, singular_systems, INTEGER),
    JSON_FIELD(FitFacts, size_bytes, WHOLE),
    JSON_ELEMENTS(FitFacts, descent, descent_count, LIST, "iterations", &descent_table, WRITTEN),
};
static const JsonTable fit_table = JSON_TABLE(FitFacts, fit_rows);

static const JsonField trial_rows[] = {
    JSON_FIELD(SearchTrial, bones, INTEGER),
    JSON_FIELD(SearchTrial, bones_delivered, INTEGER),
    JSON_FIELD(SearchTrial, e_rms, REAL),
    JSON_FIELD(SearchTrial, total_s, REAL),
};
static const JsonTable trial_table = JSON_TABLE(SearchTrial, trial_rows);
static const JsonField search_rows[] = {
    JSON_ELEMENTS(FitFacts, trials, trial_count, LIST, "search", &trial_table, OMITTED)};
static const JsonTable search_table = JSON_TABLE(FitFacts, search_rows);

Status fit_facts_write(json_t *object, const FitFacts *fit)
{
    const bool made =
        (!fit->known || json_put(object, &fit_table, fit)) && json_put(object, &search_table, fit);
    return made ? status_ok() : status_out_of_memory("a result");
}

static Status fit_read(const json_t *object, const char *where, FitFacts *out)
{
    Status status;
    STATUS_TRY(json_read(object, where, &fit_table, out));
    STATUS_TRY(json_read(object, where, &search_table, out));
    out->known = out->end[0] != '\0' || out->descent_count > 0;
done:
    return status;
}

/* ---- cells and records ---- */

static json_t *parameters_write(const void *member)
{
    Argument *parameters = *(Argument *const *)member;
    return parameters ? json_incref(parameters) : json_object();
}

static Status parameters_read(const json_t *value, const char *where, void *member)
{
    return json_is_object(value) ? argument_copy(value, member) : json_unexpected(where, value, "an object");
}

static const JsonCustom parameters_json = {parameters_write, parameters_read, NULL};

static const JsonField dataset_rows[] = {
    JSON_FIELD(CellDataset, sha256, TEXT),        JSON_FIELD(CellDataset, name, TEXT),
    JSON_FIELD(CellDataset, vertices, INTEGER),   JSON_FIELD(CellDataset, triangles, INTEGER),
    JSON_FIELD(CellDataset, frames, INTEGER),     JSON_FIELD(CellDataset, joints, INTEGER),
    JSON_FIELD(CellDataset, influences, INTEGER),
};
static const JsonTable dataset_table = JSON_TABLE(CellDataset, dataset_rows);

/* What stands of the whole record under one name. */
#define OF_RECORD(name, functions, empty)                                                                    \
    {                                                                                                        \
        (name), JSON_KIND_CUSTOM, 0, sizeof(Record), JSON_EMPTY_##empty, NULL, NULL, 0, (functions)          \
    }

static const JsonField record_rows[] = {
    JSON_WORD(Record, cell.kind, "kind", cell_kind_names),
    JSON_GROUP(Record, cell.dataset, "dataset", &dataset_table, NULL),
    JSON_WORD(Record, status, "status", record_status_names),
    JSON_FIELD_AS(Record, cell.study, TEXT, "study", OMITTED),
    JSON_FIELD_AS(Record, cell.table, TEXT, "table", OMITTED),
    JSON_FIELD_AS(Record, cell.row, TEXT, "row", OMITTED),
    JSON_FIELD_AS(Record, run, TEXT, "run", OMITTED),
    JSON_FIELD_AS(Record, time, TEXT, "time", OMITTED),
    JSON_FIELD_AS(Record, environment, TEXT, "environment", OMITTED),
    JSON_FIELD(Record, reason, TEXT),
};
static const JsonTable record_table = JSON_TABLE(Record, record_rows);

static const JsonField method_rows[] = {
    JSON_FIELD_AS(Record, cell.method, TEXT, "method", OMITTED),
    JSON_FIELD_AS(Record, cell.backend, TEXT, "backend", OMITTED),
    JSON_FIELD_AS(Record, cell.threads, INTEGER, "threads", WRITTEN),
    JSON_CUSTOM(Record, cell.parameters, "parameters", &parameters_json, WRITTEN),
};
static const JsonTable method_table = JSON_TABLE(Record, method_rows);

static const JsonField measured_rows[] = {
    OF_RECORD("metrics", &metrics_json, WRITTEN),
    JSON_CUSTOM(Record, timing, "timing", &timing_json, WRITTEN),
};
static const JsonTable measured_table = JSON_TABLE(Record, measured_rows);

static const JsonField skinning_rows[] = {
    JSON_FIELD_AS(Record, cell.level, TEXT, "level", OMITTED),
    JSON_FIELD_AS(Record, cell.frames, INTEGER, "frames", WRITTEN),
    JSON_FIELD_AS(Record, cell.normals, FLAG, "normals", WRITTEN),
    JSON_FIELD_AS(Record, cell.two_phase, FLAG, "two_phase", OMITTED),
    JSON_FIELD_AS(Record, device, TEXT, "device", NULL),
    JSON_FIELD_AS(Record, joint_sets, INTEGER, "joint_sets", OMITTED),
    OF_RECORD("counts", &counters_json, OMITTED),
};
static const JsonTable skinning_table = JSON_TABLE(Record, skinning_rows);

static const JsonField study_rows[] = {
    OF_RECORD("measures", &numbers_json, WRITTEN),
    OF_RECORD("curves", &curves_json, OMITTED),
};
static const JsonTable study_table = JSON_TABLE(Record, study_rows);

/* Which tables a kind of cells has, beside record_table. */
static const JsonTable *const tables_of[CELL_KIND_COUNT][4] = {
    [CELL_SKINNING] = {&method_table, &measured_table, &skinning_table},
    [CELL_DECOMPOSITION] = {&method_table, &measured_table},
    [CELL_STUDY] = {&method_table, &study_table},
};

json_t *record_to_json(const Record *record)
{
    json_t *object = json_object();
    bool made = object && put(object, "schema", json_integer(1)) && json_put(object, &record_table, record);
    for (const JsonTable *const *table = tables_of[record->cell.kind]; *table && made; table++)
        made = json_put(object, *table, record);
    if (record->cell.kind == CELL_DECOMPOSITION)
        made = made && fit_facts_write(object, &record->fit).code == STATUS_OK;
    return if_made(object, made);
}

Status record_from_json(const json_t *object, const char *where, Record *out)
{
    Status status;
    *out = record_of(&(Cell){0});
    if (!json_object_get(object, "kind"))
        return status_make(STATUS_BAD_INPUT, "%s: has no kind", where);
    STATUS_TRY(json_read(object, where, &record_table, out));
    for (const JsonTable *const *table = tables_of[out->cell.kind]; *table; table++)
        STATUS_TRY(json_read(object, where, *table, out));
    if (out->cell.kind == CELL_DECOMPOSITION)
        STATUS_TRY(fit_read(object, where, &out->fit));
done:
    if (status.code != STATUS_OK)
        record_clear(out);
    return status;
}

/* ---- environments ---- */

static json_t *devices_write(const void *member)
{
    const Environment *environment = member;
    json_t *object = json_object();
    bool made = object != NULL;
    for (int i = 0; i < BACKEND_COUNT && made; i++)
        if (backend_at(i)->is_device)
            made = put(object, backend_at(i)->name,
                       environment->devices[i][0] ? json_string(environment->devices[i]) : json_null());
    return if_made(object, made && put(object, "nvidia_driver",
                                       environment->nvidia_driver[0] ? json_string(environment->nvidia_driver)
                                                                     : json_null()));
}

static Status devices_read(const json_t *value, const char *where, void *member)
{
    Environment *environment = member;
    const char *driver = json_string_value(json_object_get(value, "nvidia_driver"));
    if (!json_is_object(value))
        return json_unexpected(where, value, "an object");
    snprintf(environment->nvidia_driver, sizeof environment->nvidia_driver, "%s", driver ? driver : "");
    for (int i = 0; i < BACKEND_COUNT; i++) {
        const char *device = json_string_value(json_object_get(value, backend_at(i)->name));
        snprintf(environment->devices[i], sizeof environment->devices[i], "%s", device ? device : "");
    }
    return status_ok();
}

static const JsonCustom devices_json = {devices_write, devices_read, NULL};

static const JsonField library_rows[] = {
    JSON_FIELD(Environment, hdf5, TEXT), JSON_FIELD(Environment, openblas, TEXT),
    JSON_FIELD(Environment, jansson, TEXT), JSON_FIELD(Environment, libarchive, TEXT),
    JSON_FIELD(Environment, openmp, TEXT)};
static const JsonTable library_table = JSON_TABLE(Environment, library_rows);

static const JsonField system_rows[] = {JSON_FIELD_AS(Environment, kernel, TEXT, "kernel", NULL),
                                        JSON_FIELD_AS(Environment, release, TEXT, "release", NULL),
                                        JSON_FIELD_AS(Environment, architecture, TEXT, "machine", NULL)};
static const JsonTable system_table = JSON_TABLE(Environment, system_rows);

static const JsonField cache_rows[] = {JSON_FIELD_AS(Environment, l1d_bytes, WHOLE, "l1d", NULL),
                                       JSON_FIELD_AS(Environment, l1i_bytes, WHOLE, "l1i", NULL),
                                       JSON_FIELD_AS(Environment, l2_bytes, WHOLE, "l2", NULL),
                                       JSON_FIELD_AS(Environment, l3_bytes, WHOLE, "l3", NULL)};
static const JsonTable cache_table = JSON_TABLE(Environment, cache_rows);

static const JsonField level_rows[] = {{.kind = JSON_KIND_TEXT, .size = ENVIRONMENT_LEVEL_BYTES}};
static const JsonTable level_table = {level_rows, 1, ENVIRONMENT_LEVEL_BYTES, NULL, false};
static const JsonField cpu_rows[] = {
    JSON_FIELD_AS(Environment, cpu_model, TEXT, "model", NULL),
    JSON_FIELD_AS(Environment, cores, WHOLE, "cores", NULL),
    JSON_FIELD_AS(Environment, governor, TEXT, "governor", NULL),
    JSON_INNER(Environment, "caches_bytes", &cache_table),
    JSON_ELEMENTS(Environment, levels, level_count, ARRAY, "levels", &level_table, WRITTEN)};
static const JsonTable cpu_table = JSON_TABLE(Environment, cpu_rows);

static const JsonField environment_rows[] = {
    JSON_FIELD(Environment, hash, TEXT),
    JSON_FIELD(Environment, version, TEXT),
    JSON_FIELD(Environment, commit, TEXT),
    JSON_FIELD(Environment, dirty, FLAG),
    JSON_FIELD(Environment, build_type, TEXT),
    JSON_FIELD(Environment, compiler, TEXT),
    JSON_FIELD(Environment, flags, TEXT),
    JSON_FIELD(Environment, threads, INTEGER),
    JSON_FIELD(Environment, memory_bytes, WHOLE),
    JSON_INNER(Environment, "libraries", &library_table),
    JSON_INNER(Environment, "system", &system_table),
    JSON_INNER(Environment, "cpu", &cpu_table),
    JSON_FIELD_AS(Environment, machine, TEXT, "machine", OMITTED),
    {"devices", JSON_KIND_CUSTOM, 0, sizeof(Environment), JSON_EMPTY_WRITTEN, NULL, NULL, 0, &devices_json}};
static const JsonTable environment_table = JSON_TABLE(Environment, environment_rows);

static const JsonField bandwidth_rows[] = {
    JSON_FIELD_AS(Bandwidth, one_thread, REAL, "one_thread_bytes_per_s", WRITTEN),
    JSON_FIELD_AS(Bandwidth, all_threads, REAL, "all_threads_bytes_per_s", WRITTEN),
    JSON_FIELD(Bandwidth, threads, INTEGER),
    JSON_FIELD(Bandwidth, array_bytes, REAL),
};
static const JsonTable bandwidth_table = JSON_TABLE(Bandwidth, bandwidth_rows);

static const JsonField run_rows[] = {
    JSON_FIELD(EnvironmentRecord, run, TEXT),
    JSON_FIELD(EnvironmentRecord, time, TEXT),
    JSON_GROUP(EnvironmentRecord, environment, "environment", &environment_table, WRITTEN),
    JSON_GROUP(EnvironmentRecord, bandwidth, "bandwidth", &bandwidth_table, WRITTEN),
};
static const JsonTable run_table = JSON_TABLE(EnvironmentRecord, run_rows);

json_t *environment_to_json(const Environment *environment)
{
    return json_write(&environment_table, environment);
}

json_t *environment_record_to_json(const EnvironmentRecord *record)
{
    json_t *object = json_pack("{s:i, s:s}", "schema", 1, "kind", "environment");
    return if_made(object, json_put(object, &run_table, record));
}

bool json_is_environment_record(const json_t *object)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    return kind && strcmp(kind, "environment") == 0;
}

Status environment_record_from_json(const json_t *object, const char *where, EnvironmentRecord *out)
{
    *out = (EnvironmentRecord){.bandwidth = {NAN, NAN, 0, NAN}};
    Environment *environment = &out->environment;
    environment->cores = environment->memory_bytes = NAN;
    environment->l1d_bytes = environment->l1i_bytes = environment->l2_bytes = environment->l3_bytes = NAN;
    Status status = json_read(object, where, &run_table, out);
    if (environment->machine[0] == '\0')
        environment_machine(environment);
    return status;
}

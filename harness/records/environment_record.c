/* The environment of a run in JSON: tables of its members, group by group. */
#include "harness/records/environment_record.h"

#include "harness/records/json_fields.h"
#include <math.h>
#include <string.h>

#define TEXT(member) JSON_FIELD(Environment, member, JSON_FIELD_TEXT)
/* What a machine may not give is null. */
#define TEXT_OR_NULL(member, name) JSON_FIELD_AS(Environment, member, JSON_FIELD_TEXT, name, JSON_EMPTY_NULL)
#define WHOLE_OR_NULL(member, name)                                                                          \
    JSON_FIELD_AS(Environment, member, JSON_FIELD_WHOLE, name, JSON_EMPTY_NULL)

static const JsonField library_fields[] = {TEXT(hdf5), TEXT(openblas), TEXT(jansson), TEXT(libarchive),
                                           TEXT(openmp)};

static const JsonField system_fields[] = {TEXT_OR_NULL(kernel, "kernel"), TEXT_OR_NULL(release, "release"),
                                          TEXT_OR_NULL(architecture, "machine")};

static const JsonField cache_fields[] = {WHOLE_OR_NULL(l1d_bytes, "l1d"), WHOLE_OR_NULL(l1i_bytes, "l1i"),
                                         WHOLE_OR_NULL(l2_bytes, "l2"), WHOLE_OR_NULL(l3_bytes, "l3")};

static const JsonField cpu_fields[] = {TEXT_OR_NULL(cpu_model, "model"), WHOLE_OR_NULL(cores, "cores"),
                                       JSON_FIELD_GROUP_AT(0, "caches_bytes", cache_fields),
                                       JSON_FIELD_TEXTS_OF(Environment, levels, "levels"),
                                       TEXT_OR_NULL(governor, "governor")};

/* All but the devices, whose names are those of the backends. */
static const JsonField environment_fields[] = {
    TEXT(hash),
    TEXT(version),
    TEXT(commit),
    JSON_FIELD(Environment, dirty, JSON_FIELD_FLAG),
    TEXT(build_type),
    TEXT(compiler),
    TEXT(flags),
    JSON_FIELD_GROUP_AT(0, "libraries", library_fields),
    JSON_FIELD_GROUP_AT(0, "system", system_fields),
    JSON_FIELD_GROUP_AT(0, "cpu", cpu_fields),
    JSON_FIELD(Environment, threads, JSON_FIELD_INTEGER),
    WHOLE_OR_NULL(memory_bytes, "memory_bytes"),
};

static const JsonField bandwidth_fields[] = {
    JSON_FIELD_AS(Bandwidth, one_thread, JSON_FIELD_REAL, "one_thread_bytes_per_s", JSON_EMPTY_WRITTEN),
    JSON_FIELD_AS(Bandwidth, all_threads, JSON_FIELD_REAL, "all_threads_bytes_per_s", JSON_EMPTY_WRITTEN),
    JSON_FIELD(Bandwidth, threads, JSON_FIELD_INTEGER),
    JSON_FIELD(Bandwidth, array_bytes, JSON_FIELD_REAL),
};

static const JsonField record_fields[] = {
    JSON_FIELD(EnvironmentRecord, run, JSON_FIELD_TEXT),
    JSON_FIELD(EnvironmentRecord, time, JSON_FIELD_TEXT),
    JSON_FIELD_GROUP_AT(offsetof(EnvironmentRecord, environment), "environment", environment_fields),
    JSON_FIELD_GROUP_AT(offsetof(EnvironmentRecord, bandwidth), "bandwidth", bandwidth_fields),
};

static const JsonField machine_fields[] = {JSON_FIELD(EnvironmentRecord, machine, JSON_FIELD_TEXT)};

/* The devices by their backends, and the driver: fields [BACKEND_COUNT + 1], the count is returned. */
static size_t device_fields(JsonField fields[BACKEND_COUNT + 1])
{
    size_t count = 0;
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (backend_at(i)->is_device)
            fields[count++] =
                (JsonField){.name = backend_at(i)->name,
                            .kind = JSON_FIELD_TEXT,
                            .offset = offsetof(Environment, devices) + (size_t)i * ENVIRONMENT_TEXT_BYTES,
                            .size = ENVIRONMENT_TEXT_BYTES,
                            .empty = JSON_EMPTY_NULL};
    fields[count++] = (JsonField)TEXT_OR_NULL(nvidia_driver, "nvidia_driver");
    return count;
}

bool json_is_environment_record(const json_t *object)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    return kind && strcmp(kind, "environment") == 0;
}

json_t *environment_record_to_json(const EnvironmentRecord *record)
{
    JsonField devices[BACKEND_COUNT + 1];
    const size_t device_count = device_fields(devices);
    json_t *object = json_fields_new(record_fields, JSON_FIELD_COUNT(record_fields), record);
    json_t *environment = json_object_get(object, "environment");
    if (object && json_put(object, "schema", json_integer(1)) &&
        json_put(object, "kind", json_string("environment")) &&
        json_put(environment, "devices", json_fields_new(devices, device_count, &record->environment)) &&
        json_fields_write(environment, machine_fields, 1, record).code == STATUS_OK)
        return object;
    json_decref(object);
    return NULL;
}

Status environment_record_from_json(const json_t *object, const char *where, EnvironmentRecord *out)
{
    JsonField devices[BACKEND_COUNT + 1];
    const size_t device_count = device_fields(devices);
    const json_t *environment = json_object_get(object, "environment");
    char place[JSON_PLACE_BYTES];
    Environment *into = &out->environment;
    Status status;
    *out = (EnvironmentRecord){.bandwidth = {NAN, NAN, 0, NAN}};
    into->cores = into->memory_bytes = NAN;
    into->l1d_bytes = into->l1i_bytes = into->l2_bytes = into->l3_bytes = NAN;
    json_place(place, where, "environment");
    STATUS_TRY(json_fields_read(object, where, record_fields, JSON_FIELD_COUNT(record_fields), out));
    STATUS_TRY(json_group_read(environment, place, "devices", devices, device_count, into));
    STATUS_TRY(json_fields_read(environment, place, machine_fields, 1, out));
    if (out->machine[0] == '\0')
        environment_machine(into, out->machine);
done:
    return status;
}

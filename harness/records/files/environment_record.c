/* Reads and writes the first record of a run as JSON, driven by a table of its members. */
#include "harness/records/files/environment_record.h"

#include "datasets/io/json_table.h"

static json_t *devices_write(const void *member)
{
    const Environment *environment = member;
    json_t *object = json_object();
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (backend_at(i)->is_device)
            json_set(object, backend_at(i)->name,
                     environment->devices[i][0] ? json_text(environment->devices[i]) : json_null());
    json_set(object, "nvidia_driver",
             environment->nvidia_driver[0] ? json_text(environment->nvidia_driver) : json_null());
    return object;
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

static const JsonTable library_table = JSON_TABLE(
    Environment, JSON_FIELD(Environment, hdf5, TEXT), JSON_FIELD(Environment, openblas, TEXT),
    JSON_FIELD(Environment, jansson, TEXT), JSON_FIELD(Environment, libarchive, TEXT),
    JSON_FIELD(Environment, openmp, TEXT), JSON_FIELD_AS(Environment, libc, TEXT, "libc", OMITTED));

static const JsonTable system_table =
    JSON_TABLE(Environment, JSON_FIELD_AS(Environment, kernel, TEXT, "kernel", NULL),
               JSON_FIELD_AS(Environment, release, TEXT, "release", NULL),
               JSON_FIELD_AS(Environment, architecture, TEXT, "machine", NULL));

static const JsonTable cache_table =
    JSON_TABLE(Environment, JSON_FIELD_AS(Environment, l1d_bytes, WHOLE, "l1d", NULL),
               JSON_FIELD_AS(Environment, l1i_bytes, WHOLE, "l1i", NULL),
               JSON_FIELD_AS(Environment, l2_bytes, WHOLE, "l2", NULL),
               JSON_FIELD_AS(Environment, l3_bytes, WHOLE, "l3", NULL));

static const JsonTable level_table = JSON_TEXTS(ENVIRONMENT_LEVEL_BYTES, NAME, false);
static const JsonTable cpu_table =
    JSON_TABLE(Environment, JSON_FIELD_AS(Environment, cpu_model, TEXT, "model", NULL),
               JSON_FIELD_AS(Environment, cores, WHOLE, "cores", NULL),
               JSON_FIELD_AS(Environment, governor, TEXT, "governor", NULL),
               JSON_INNER(Environment, "caches_bytes", &cache_table),
               JSON_ARRAY(Environment, levels, level_count, "levels", &level_table, WRITTEN));

static const JsonTable environment_table = JSON_TABLE(
    Environment, JSON_FIELD(Environment, hash, HASH), JSON_FIELD(Environment, version, STAMP),
    JSON_FIELD(Environment, commit, STAMP),
    JSON_FIELD_AS(Environment, commit_time, STAMP, "commit_time", OMITTED),
    JSON_FIELD(Environment, dirty, FLAG), JSON_FIELD(Environment, build_type, TEXT),
    JSON_FIELD(Environment, compiler, TEXT), JSON_FIELD(Environment, flags, TEXT),
    JSON_FIELD(Environment, threads, COUNT), JSON_FIELD(Environment, memory_bytes, WHOLE),
    JSON_INNER(Environment, "libraries", &library_table), JSON_INNER(Environment, "system", &system_table),
    JSON_INNER(Environment, "cpu", &cpu_table), JSON_FIELD_AS(Environment, machine, TEXT, "machine", OMITTED),
    {"devices", JSON_KIND_CUSTOM, 0, sizeof(Environment), JSON_EMPTY_WRITTEN, NULL, NULL, 0, &devices_json});

static const JsonTable bandwidth_table =
    JSON_TABLE(Bandwidth, JSON_FIELD_AS(Bandwidth, one_thread, AMOUNT, "one_thread_bytes_per_s", WRITTEN),
               JSON_FIELD_AS(Bandwidth, all_threads, AMOUNT, "all_threads_bytes_per_s", WRITTEN),
               JSON_FIELD(Bandwidth, threads, COUNT), JSON_FIELD(Bandwidth, array_bytes, AMOUNT));

static const JsonTable run_table = JSON_TABLE(
    EnvironmentRecord, JSON_FIELD(EnvironmentRecord, run, STAMP), JSON_FIELD(EnvironmentRecord, time, STAMP),
    JSON_GROUP(EnvironmentRecord, environment, "environment", &environment_table, WRITTEN),
    JSON_GROUP(EnvironmentRecord, bandwidth, "bandwidth", &bandwidth_table, WRITTEN));

json_t *environment_record_to_json(const EnvironmentRecord *record)
{
    const long failures =
        memory_failures(); /* after a failed allocation, a member would be missing from the object */
    json_t *object = json_pack("{s:i, s:s}", "schema", 1, "kind", "environment");
    json_store(object, &run_table, record);
    return json_if_made(object, memory_failures() == failures);
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

/* Suites: built from the command line or read from a file, of which every member is checked. */
#include "harness/bench/suite.h"

#include "datasets/base/memory.h"
#include "harness/records/json_fields.h"
#include "methods/registry.h"
#include <stdio.h>
#include <string.h>

static Status dataset_append(Suite *suite, const SuiteDataset *dataset)
{
    SuiteDataset *datasets = memory_grow(suite->datasets, (size_t)suite->dataset_count, sizeof *datasets);
    if (!datasets)
        return status_out_of_memory("the suite");
    suite->datasets = datasets;
    suite->datasets[suite->dataset_count++] = *dataset;
    return status_ok();
}

Status suite_add_file(Suite *suite, const char *path)
{
    SuiteDataset dataset = {.setting_count = 0};
    if (strlen(path) >= sizeof dataset.path)
        return status_make(STATUS_USAGE, "%s: the path is too long", path);
    snprintf(dataset.path, sizeof dataset.path, "%s", path);
    return dataset_append(suite, &dataset);
}

Status suite_add_generated(Suite *suite, const char *generator)
{
    SuiteDataset dataset = {.setting_count = 0};
    snprintf(dataset.generator, sizeof dataset.generator, "%s", generator);
    return dataset_append(suite, &dataset);
}

Status suite_add_fit(Suite *suite, const FitCell *fit)
{
    FitCell *fits = memory_grow(suite->fits, (size_t)suite->fit_count, sizeof *fits);
    if (!fits)
        return status_out_of_memory("the suite");
    suite->fits = fits;
    suite->fits[suite->fit_count++] = *fit;
    return status_ok();
}

static Status plan_append(Suite *suite, const SkinningPlan *plan)
{
    SkinningPlan *plans = memory_grow(suite->plans, (size_t)suite->plan_count, sizeof *plans);
    if (!plans)
        return status_out_of_memory("the suite");
    suite->plans = plans;
    suite->plans[suite->plan_count++] = *plan;
    return status_ok();
}

Status suite_add_skinning(Suite *suite, const char *method, const char *const *settings, int setting_count,
                          const Backend *const *backends, int backend_count, const int *threads,
                          int thread_count, bool normals, bool two_phase)
{
    SkinningPlan plan = {.entry = NULL};
    Status made = skinning_plan_make(method, settings, setting_count, &plan);
    if (made.code != STATUS_OK)
        return made;
    plan.normals = normals;
    plan.two_phase = two_phase;
    for (int b = 0; b < backend_count; b++) {
        const bool threaded = backends[b]->threaded;
        for (int t = 0; t < (threaded ? thread_count : 1); t++) {
            plan.backend = backends[b];
            plan.threads = threaded ? threads[t] : 1;
            Status status = plan_append(suite, &plan);
            if (status.code != STATUS_OK)
                return status;
        }
    }
    return status_ok();
}

void suite_clear(Suite *suite)
{
    memory_free(suite->datasets);
    memory_free(suite->plans);
    memory_free(suite->fits);
    *suite = (Suite){0};
}

Status suite_dataset_load(const SuiteDataset *dataset, Subject *subject)
{
    const char *settings[SETTINGS_MAX] = {NULL};
    if (dataset->path[0] != '\0')
        return subject_read(dataset->path, subject);
    for (int i = 0; i < dataset->setting_count; i++)
        settings[i] = dataset->settings[i];
    return subject_generate(dataset->generator, settings, dataset->setting_count, subject);
}

/* ---- the file ---- */

enum { PLACE_BYTES = 512 };

/* "suite.json: skinning.threads[2]"; index -1: no element. */
static void entry_place(char place[PLACE_BYTES], const char *path, const char *member, int index)
{
    if (index < 0)
        snprintf(place, PLACE_BYTES, "%.400s: %.64s", path, member);
    else
        snprintf(place, PLACE_BYTES, "%.400s: %.64s[%d]", path, member, index);
}

static Status array_check(const char *place, const json_t *value)
{
    return !value || json_is_array(value) ? status_ok() : json_unexpected(place, "", value, "an array");
}

/* The texts of an optional array of texts; `place` names it. */
static Status text_array_read(const char *place, const json_t *array, char texts[SETTINGS_MAX][SETTING_BYTES],
                              int *count)
{
    *count = (int)json_array_size(array);
    if (*count > SETTINGS_MAX)
        return status_make(STATUS_BAD_INPUT, "%s has %d entries, at most %d", place, *count, SETTINGS_MAX);
    for (int i = 0; i < *count; i++) {
        const json_t *entry = json_array_get(array, (size_t)i);
        const char *text = json_string_value(entry);
        char element[PLACE_BYTES + 16];
        snprintf(element, sizeof element, "%s[%d]", place, i);
        if (!text || strlen(text) >= SETTING_BYTES)
            return json_unexpected(element, "", entry, "a short text");
        snprintf(texts[i], SETTING_BYTES, "%s", text);
    }
    return array_check(place, array);
}

static Status set_read(const char *owner, const json_t *entry, char texts[SETTINGS_MAX][SETTING_BYTES],
                       int *count)
{
    char place[PLACE_BYTES + 16];
    snprintf(place, sizeof place, "%s.set", owner);
    return text_array_read(place, json_object_get(entry, "set"), texts, count);
}

/* An element of `datasets`. */
typedef struct DatasetEntry {
    char file[SUITE_PATH_BYTES], generate[METHOD_NAME_BYTES];
} DatasetEntry;

static const JsonField dataset_fields[] = {JSON_FIELD(DatasetEntry, file, JSON_FIELD_TEXT),
                                           JSON_FIELD(DatasetEntry, generate, JSON_FIELD_TEXT)};

static Status dataset_read_entry(const char *path, int index, const json_t *json, Suite *suite)
{
    static const char *const others[] = {"set", NULL};
    SuiteDataset dataset = {.setting_count = 0};
    DatasetEntry entry = {"", ""};
    char place[PLACE_BYTES];
    const char *slash = strrchr(path, '/');
    Status status;
    entry_place(place, path, "datasets", index);
    STATUS_TRY(json_fields_read_strict(json, place, dataset_fields, JSON_FIELD_COUNT(dataset_fields), others,
                                       &entry));
    if ((entry.file[0] == '\0') == (entry.generate[0] == '\0'))
        return status_make(STATUS_BAD_INPUT, "%s needs either a file or a generator", place);
    int folder = entry.file[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    if (entry.file[0] != '\0' && snprintf(dataset.path, sizeof dataset.path, "%.*s%s", folder, path,
                                          entry.file) >= (int)sizeof dataset.path)
        return status_make(STATUS_BAD_INPUT, "%s: the path %.200s is too long", place, entry.file);
    snprintf(dataset.generator, sizeof dataset.generator, "%s", entry.generate);
    STATUS_TRY(set_read(place, json, dataset.settings, &dataset.setting_count));
    STATUS_TRY(dataset_append(suite, &dataset));
done:
    return status;
}

/* What the ways to skin of a suite are made of: every method on every backend, with every number of threads. */
typedef struct SuiteSkinning {
    const Backend *backends[BACKEND_COUNT];
    int threads[SETTINGS_MAX];
    int backend_count, thread_count;
    bool normals, two_phase;
} SuiteSkinning;

static const JsonField skinning_fields[] = {JSON_FIELD(SuiteSkinning, normals, JSON_FIELD_FLAG),
                                            JSON_FIELD(SuiteSkinning, two_phase, JSON_FIELD_FLAG)};

static Status backends_read(const char *path, const json_t *array, SuiteSkinning *out)
{
    char names[SETTINGS_MAX][SETTING_BYTES], place[PLACE_BYTES];
    Status status;
    entry_place(place, path, "skinning.backends", -1);
    STATUS_TRY(text_array_read(place, array, names, &out->backend_count));
    if (out->backend_count > BACKEND_COUNT)
        return status_make(STATUS_BAD_INPUT, "%s has %d entries", place, out->backend_count);
    for (int i = 0; i < out->backend_count; i++)
        STATUS_TRY(backend_find(names[i], &out->backends[i]));
    for (; !array && out->backend_count < BACKEND_COUNT; out->backend_count++)
        out->backends[out->backend_count] = backend_at(out->backend_count);
done:
    return status;
}

/* Whole numbers from 1 to `most`. */
static Status count_read(const char *path, const char *member, int index, const json_t *value, int most,
                         int *out)
{
    char place[PLACE_BYTES];
    entry_place(place, path, member, index);
    if (!json_is_integer(value))
        return json_unexpected(place, "", value, "an integer");
    if (json_integer_value(value) < 1 || json_integer_value(value) > most)
        return status_make(STATUS_BAD_INPUT, "%s is not 1 to %d: %" JSON_INTEGER_FORMAT, place, most,
                           json_integer_value(value));
    *out = (int)json_integer_value(value);
    return status_ok();
}

static Status threads_read(const char *path, const json_t *array, int usual, SuiteSkinning *out)
{
    char place[PLACE_BYTES];
    Status status;
    entry_place(place, path, "skinning.threads", -1);
    STATUS_TRY(array_check(place, array));
    if (json_array_size(array) > SETTINGS_MAX)
        return status_make(STATUS_BAD_INPUT, "%s has more than %d entries", place, SETTINGS_MAX);
    out->thread_count = (int)json_array_size(array);
    for (int i = 0; i < out->thread_count; i++)
        STATUS_TRY(count_read(path, "skinning.threads", i, json_array_get(array, (size_t)i), 1024,
                              &out->threads[i]));
    if (!array) {
        out->threads[0] = 1;
        out->threads[1] = usual;
        out->thread_count = usual > 1 ? 2 : 1;
    }
done:
    return status;
}

static Status method_add(const SuiteSkinning *entry, const char *name, const char *const *settings, int count,
                         Suite *suite)
{
    return suite_add_skinning(suite, name, settings, count, entry->backends, entry->backend_count,
                              entry->threads, entry->thread_count, entry->normals, entry->two_phase);
}

typedef struct MethodEntry {
    char name[METHOD_NAME_BYTES];
} MethodEntry;

/* A name, or {"name": ..., "set": [...]} with parameters. */
static Status method_read(const char *path, int index, const json_t *json, const SuiteSkinning *skinning,
                          Suite *suite)
{
    static const JsonField fields[] = {JSON_FIELD(MethodEntry, name, JSON_FIELD_TEXT)};
    static const char *const others[] = {"set", NULL};
    char settings[SETTINGS_MAX][SETTING_BYTES], place[PLACE_BYTES];
    const char *pointers[SETTINGS_MAX] = {NULL};
    MethodEntry entry = {""};
    int count = 0;
    Status status;
    if (json_is_string(json))
        return method_add(skinning, json_string_value(json), NULL, 0, suite);
    entry_place(place, path, "skinning.methods", index);
    STATUS_TRY(json_fields_read_strict(json, place, fields, 1, others, &entry));
    STATUS_TRY(set_read(place, json, settings, &count));
    for (int i = 0; i < count; i++)
        pointers[i] = settings[i];
    STATUS_TRY(method_add(skinning, entry.name, pointers, count, suite));
done:
    return status;
}

static Status skinning_read(const char *path, const json_t *json, int usual_threads, Suite *suite)
{
    static const char *const others[] = {"methods", "backends", "threads", NULL};
    const json_t *methods = json_object_get(json, "methods");
    SuiteSkinning entry = {.normals = false};
    char place[PLACE_BYTES];
    Status status;
    entry_place(place, path, "skinning", -1);
    STATUS_TRY(json_fields_read_strict(json, place, skinning_fields, JSON_FIELD_COUNT(skinning_fields),
                                       others, &entry));
    STATUS_TRY(backends_read(path, json_object_get(json, "backends"), &entry));
    STATUS_TRY(threads_read(path, json_object_get(json, "threads"), usual_threads, &entry));
    entry_place(place, path, "skinning.methods", -1);
    STATUS_TRY(array_check(place, methods));
    for (int i = 0; !methods && i < skinning_entry_count(); i++)
        STATUS_TRY(method_add(&entry, skinning_entry_at(i)->method->name, NULL, 0, suite));
    for (int i = 0; i < (int)json_array_size(methods); i++)
        STATUS_TRY(method_read(path, i, json_array_get(methods, (size_t)i), &entry, suite));
done:
    return status;
}

static const JsonField fit_fields[] = {
    JSON_FIELD(FitCell, method, JSON_FIELD_TEXT),        JSON_FIELD(FitCell, influences, JSON_FIELD_INTEGER),
    JSON_FIELD(FitCell, iterations, JSON_FIELD_INTEGER), JSON_FIELD(FitCell, repeats, JSON_FIELD_INTEGER),
    JSON_FIELD(FitCell, holdout, JSON_FIELD_INTEGER),    JSON_FIELD(FitCell, time_limit_s, JSON_FIELD_REAL),
    JSON_FIELD(FitCell, error, JSON_FIELD_REAL)};

/* One fit per number in "bones". */
static Status fit_entry_read(const char *path, int index, const json_t *json, int threads, Suite *suite)
{
    static const char *const others[] = {"bones", "set", NULL};
    const json_t *bones = json_object_get(json, "bones");
    FitCell fit = {.influences = 4, .iterations = 15, .repeats = 1, .threads = threads};
    char place[PLACE_BYTES], member[64];
    Status status;
    entry_place(place, path, "decomposition", index);
    STATUS_TRY(json_fields_read_strict(json, place, fit_fields, JSON_FIELD_COUNT(fit_fields), others, &fit));
    STATUS_TRY(set_read(place, json, fit.settings, &fit.setting_count));
    STATUS_TRY(fit_cell_check(&fit));
    fit.time_limit_s = fit.time_limit_s > 0.0 ? fit.time_limit_s : 0.0;
    fit.error = fit.error > 0.0 ? fit.error : 0.0;
    if (json_array_size(bones) == 0)
        return bones ? json_unexpected(place, "bones", bones, "an array of numbers")
                     : status_make(STATUS_BAD_INPUT, "%s has no bones", place);
    snprintf(member, sizeof member, "decomposition[%d].bones", index);
    for (int i = 0; i < (int)json_array_size(bones); i++) {
        STATUS_TRY(count_read(path, member, i, json_array_get(bones, (size_t)i), 1000000, &fit.bones));
        STATUS_TRY(suite_add_fit(suite, &fit));
    }
done:
    return status;
}

static Status root_read(const char *path, const json_t *root, int threads, Suite *suite)
{
    static const char *const members[] = {"datasets", "skinning", "decomposition", NULL};
    const json_t *datasets = json_object_get(root, "datasets"),
                 *fits = json_object_get(root, "decomposition");
    const json_t *skinning = json_object_get(root, "skinning");
    char place[PLACE_BYTES];
    Status status;
    STATUS_TRY(json_fields_read_strict(root, path, NULL, 0, members, NULL));
    entry_place(place, path, "datasets", -1);
    STATUS_TRY(array_check(place, datasets));
    if (json_array_size(datasets) == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no datasets", path);
    for (int i = 0; i < (int)json_array_size(datasets); i++)
        STATUS_TRY(dataset_read_entry(path, i, json_array_get(datasets, (size_t)i), suite));
    if (skinning)
        STATUS_TRY(skinning_read(path, skinning, threads, suite));
    entry_place(place, path, "decomposition", -1);
    STATUS_TRY(array_check(place, fits));
    for (int i = 0; i < (int)json_array_size(fits); i++)
        STATUS_TRY(fit_entry_read(path, i, json_array_get(fits, (size_t)i), threads, suite));
done:
    return status;
}

Status suite_read(const char *path, int threads, Suite *suite)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    Status status = root_read(path, root, threads, suite);
    if (status.code == STATUS_USAGE) { /* a name that is not known: here the file's fault */
        Status named = status_make(STATUS_BAD_INPUT, "%s: %.400s", path, status.text);
        status = named;
    }
    json_decref(root);
    return status;
}

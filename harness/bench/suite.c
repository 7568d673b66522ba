/* The list of what a run consists of, from options or from a suite file. */
#include "harness/bench/suite.h"

#include "datasets/base/memory.h"
#include "methods/registry.h"
#include <stdio.h>
#include <string.h>

/* Room for one more element: the array is copied when its count is a power of two. */
static Status grow(void **array, int count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return status_ok();
    void *room = memory_array(count > 0 ? 2 * (size_t)count : 1, size);
    if (!room)
        return status_out_of_memory("the suite");
    if (count > 0)
        memcpy(room, *array, (size_t)count * size);
    memory_free(*array);
    *array = room;
    return status_ok();
}

static Status dataset_append(Suite *suite, const SuiteDataset *dataset)
{
    void *array = suite->datasets;
    Status status = grow(&array, suite->dataset_count, sizeof *dataset);
    suite->datasets = array;
    if (status.code == STATUS_OK)
        suite->datasets[suite->dataset_count++] = *dataset;
    return status;
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
    void *array = suite->fits;
    Status status = grow(&array, suite->fit_count, sizeof *fit);
    suite->fits = array;
    if (status.code == STATUS_OK)
        suite->fits[suite->fit_count++] = *fit;
    return status;
}

static Status plan_append(Suite *suite, const SkinningPlan *plan)
{
    void *array = suite->plans;
    Status status = grow(&array, suite->plan_count, sizeof *plan);
    suite->plans = array;
    if (status.code == STATUS_OK)
        suite->plans[suite->plan_count++] = *plan;
    return status;
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

/* The texts of an optional array of texts. */
static Status texts_read(const char *path, const char *where, const json_t *array,
                         char texts[SETTINGS_MAX][SETTING_BYTES], int *count)
{
    *count = (int)json_array_size(array);
    if (array && !json_is_array(array))
        return status_make(STATUS_BAD_INPUT, "%s: %s is not an array", path, where);
    if (*count > SETTINGS_MAX)
        return status_make(STATUS_BAD_INPUT, "%s: %s has %d entries, at most %d", path, where, *count,
                           SETTINGS_MAX);
    for (int i = 0; i < *count; i++) {
        const char *text = json_string_value(json_array_get(array, (size_t)i));
        if (!text || strlen(text) >= SETTING_BYTES)
            return status_make(STATUS_BAD_INPUT, "%s: %s[%d] is not a short text", path, where, i);
        snprintf(texts[i], SETTING_BYTES, "%s", text);
    }
    return status_ok();
}

static Status dataset_read_entry(const char *path, const json_t *entry, Suite *suite)
{
    SuiteDataset dataset = {.setting_count = 0};
    const char *file = json_text_at(entry, "file"), *generator = json_text_at(entry, "generate");
    const char *slash = strrchr(path, '/');
    int folder = file[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    if ((file[0] == '\0') == (generator[0] == '\0'))
        return status_make(STATUS_BAD_INPUT, "%s: datasets[%d] needs either a file or a generator", path,
                           suite->dataset_count);
    if (file[0] != '\0' &&
        snprintf(dataset.path, sizeof dataset.path, "%.*s%s", folder, path, file) >= (int)sizeof dataset.path)
        return status_make(STATUS_BAD_INPUT, "%s: the path %s is too long", path, file);
    if (strlen(generator) >= sizeof dataset.generator)
        return status_make(STATUS_BAD_INPUT, "%s: no generator '%.64s'", path, generator);
    snprintf(dataset.generator, sizeof dataset.generator, "%s", generator);
    Status status = texts_read(path, "datasets.set", json_object_get(entry, "set"), dataset.settings,
                               &dataset.setting_count);
    return status.code == STATUS_OK ? dataset_append(suite, &dataset) : status;
}

static Status backends_read(const char *path, const json_t *array, const Backend *backends[BACKEND_COUNT],
                            int *count)
{
    char names[SETTINGS_MAX][SETTING_BYTES];
    Status status = texts_read(path, "skinning.backends", array, names, count);
    if (status.code == STATUS_OK && *count > BACKEND_COUNT)
        status = status_make(STATUS_BAD_INPUT, "%s: skinning.backends has %d entries", path, *count);
    for (int i = 0; i < *count && status.code == STATUS_OK; i++)
        status = backend_find(names[i], &backends[i]);
    for (int i = 0; !array && i < BACKEND_COUNT; i++)
        backends[i] = backend_at(i);
    if (!array)
        *count = BACKEND_COUNT;
    return status;
}

static Status threads_read(const char *path, const json_t *array, int standard, int threads[SETTINGS_MAX],
                           int *count)
{
    *count = (int)json_array_size(array);
    if ((array && !json_is_array(array)) || *count > SETTINGS_MAX)
        return status_make(STATUS_BAD_INPUT, "%s: skinning.threads is not a short array", path);
    for (int i = 0; i < *count; i++) {
        const json_t *entry = json_array_get(array, (size_t)i);
        json_int_t value = json_integer_value(entry);
        if (!json_is_integer(entry) || value < 1 || value > 1024)
            return status_make(STATUS_BAD_INPUT, "%s: skinning.threads[%d] is not 1 to 1024", path, i);
        threads[i] = (int)value;
    }
    if (!array) {
        threads[0] = 1;
        threads[1] = standard;
        *count = standard > 1 ? 2 : 1;
    }
    return status_ok();
}

/* "methods": a name, or {"name": ..., "set": [...]} with parameters. Absent: all. */
static Status methods_read(const char *path, const json_t *skinning, const Backend *const *backends,
                           int backend_count, const int *threads, int thread_count, Suite *suite)
{
    const json_t *methods = json_object_get(skinning, "methods");
    bool normals = json_is_true(json_object_get(skinning, "normals"));
    bool two_phase = json_is_true(json_object_get(skinning, "two_phase"));
    Status status = status_ok();
    for (int i = 0; !methods && i < skinning_entry_count() && status.code == STATUS_OK; i++)
        status = suite_add_skinning(suite, skinning_entry_at(i)->method->name, NULL, 0, backends,
                                    backend_count, threads, thread_count, normals, two_phase);
    for (size_t i = 0; i < json_array_size(methods) && status.code == STATUS_OK; i++) {
        const json_t *entry = json_array_get(methods, i);
        char settings[SETTINGS_MAX][SETTING_BYTES];
        const char *pointers[SETTINGS_MAX] = {NULL};
        int count = 0;
        const char *name = json_is_string(entry) ? json_string_value(entry) : json_text_at(entry, "name");
        status = texts_read(path, "skinning.methods.set", json_object_get(entry, "set"), settings, &count);
        for (int k = 0; k < count; k++)
            pointers[k] = settings[k];
        if (status.code == STATUS_OK)
            status = suite_add_skinning(suite, name, pointers, count, backends, backend_count, threads,
                                        thread_count, normals, two_phase);
    }
    return status;
}

static Status skinning_read(const char *path, const json_t *skinning, int standard_threads, Suite *suite)
{
    const Backend *backends[BACKEND_COUNT] = {NULL};
    int threads[SETTINGS_MAX] = {1}, backend_count = 0, thread_count = 0;
    Status status = backends_read(path, json_object_get(skinning, "backends"), backends, &backend_count);
    if (status.code == STATUS_OK)
        status = threads_read(path, json_object_get(skinning, "threads"), standard_threads, threads,
                              &thread_count);
    if (status.code == STATUS_OK)
        status = methods_read(path, skinning, backends, backend_count, threads, thread_count, suite);
    return status;
}

static int whole_or(const json_t *entry, const char *name, int standard)
{
    const json_t *value = json_object_get(entry, name);
    return json_is_integer(value) ? (int)json_integer_value(value) : standard;
}

/* One fit per number in "bones". */
static Status fit_read(const char *path, const json_t *entry, int threads, Suite *suite)
{
    const json_t *bones = json_object_get(entry, "bones");
    FitCell fit = {.influences = whole_or(entry, "influences", 4),
                   .iterations = whole_or(entry, "iterations", 15),
                   .repeats = whole_or(entry, "repeats", 1),
                   .holdout = whole_or(entry, "holdout", 0),
                   .threads = threads};
    double limit = json_number_at(entry, "time_limit_s"), error = json_number_at(entry, "error");
    fit.time_limit_s = limit > 0.0 ? limit : 0.0;
    fit.error = error > 0.0 ? error : 0.0;
    snprintf(fit.method, sizeof fit.method, "%.*s", METHOD_NAME_BYTES - 1, json_text_at(entry, "method"));
    if (!decomposition_method_find(fit.method))
        return status_make(STATUS_BAD_INPUT, "%s: no decomposition method '%s'", path, fit.method);
    Status status = texts_read(path, "decomposition.set", json_object_get(entry, "set"), fit.settings,
                               &fit.setting_count);
    if (status.code == STATUS_OK && json_array_size(bones) == 0)
        status = status_make(STATUS_BAD_INPUT, "%s: decomposition.bones is not an array of numbers", path);
    for (size_t i = 0; i < json_array_size(bones) && status.code == STATUS_OK; i++) {
        fit.bones = (int)json_integer_value(json_array_get(bones, i));
        status = suite_add_fit(suite, &fit);
    }
    return status;
}

Status suite_read(const char *path, int threads, Suite *suite)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    const json_t *datasets = json_object_get(root, "datasets"),
                 *fits = json_object_get(root, "decomposition");
    const json_t *skinning = json_object_get(root, "skinning");
    Status status = status_ok();
    if (json_array_size(datasets) == 0)
        status = status_make(STATUS_BAD_INPUT, "%s: has no datasets", path);
    for (size_t i = 0; i < json_array_size(datasets) && status.code == STATUS_OK; i++)
        status = dataset_read_entry(path, json_array_get(datasets, i), suite);
    if (skinning && status.code == STATUS_OK)
        status = skinning_read(path, skinning, threads, suite);
    for (size_t i = 0; i < json_array_size(fits) && status.code == STATUS_OK; i++)
        status = fit_read(path, json_array_get(fits, i), threads, suite);
    json_decref(root);
    return status;
}

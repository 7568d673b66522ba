#include "harness/tables/table_run.h"

#include "datasets/base/memory.h"
#include "datasets/io/formats.h"
#include "harness/bench/fit_cell.h"
#include "harness/tables/published.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The archive as a data set file in the cache; imported when it is not there or older than the archive. */
static Status archive_import(const char *archive, const char *name, const TableSources *sources,
                             const Bench *bench, char path[PUBLISHED_PATH_BYTES])
{
    struct stat source, cached;
    if (snprintf(path, PUBLISHED_PATH_BYTES, "%s/%s.h5", sources->cache, name) >= PUBLISHED_PATH_BYTES)
        return status_make(STATUS_USAGE, "%s: the path is too long", sources->cache);
    if (mkdir(sources->cache, 0777) != 0 && errno != EEXIST)
        return status_make(STATUS_MACHINE, "%s: %s", sources->cache, strerror(errno));
    if (stat(archive, &source) == 0 && stat(path, &cached) == 0 && cached.st_mtime >= source.st_mtime)
        return status_ok();
    bench_note(bench, "%s: imported to %s", archive, path);
    const Format *format = format_find("obj-sequence");
    if (!format || !format->import)
        return status_make(STATUS_UNAVAILABLE, "%s: no importer for it is built in", archive);
    ImportOptions options = {.inputs = &archive,
                             .input_count = 1,
                             .scale = 1.0,
                             .fps = 30.0,
                             .name = name,
                             .progress = bench->progress};
    return format->import(&options, path);
}

/* Finds the data set of a row. *found stays false where it is not there. */
static Status row_load(const json_t *row, const TableSources *sources, const Bench *bench, Subject *subject,
                       bool *found)
{
    char path[PUBLISHED_PATH_BYTES], archive[PUBLISHED_PATH_BYTES];
    const char *name = json_text_at(row, "dataset");
    *found = false;
    if (!sources->folder || name[0] == '\0' || strchr(name, '/'))
        return status_ok();
    Status status = status_ok();
    if (snprintf(path, sizeof path, "%s/%s.h5", sources->folder, name) >= (int)sizeof path ||
        snprintf(archive, sizeof archive, "%s/%s.tar.xz", sources->folder, name) >= (int)sizeof archive)
        return status_make(STATUS_USAGE, "%s: the path is too long", sources->folder);
    if (access(path, R_OK) != 0) {
        if (access(archive, R_OK) != 0)
            return status_ok();
        status = archive_import(archive, name, sources, bench, path);
    }
    if (status.code == STATUS_OK)
        status = subject_read(path, subject);
    *found = status.code == STATUS_OK;
    return status;
}

static Status stand_in_load(const json_t *row, Subject *subject)
{
    const char *settings[SETTINGS_MAX];
    const json_t *set = json_object_get(row, "set");
    int count = 0;
    for (size_t i = 0; i < json_array_size(set) && count < SETTINGS_MAX; i++)
        if (json_is_string(json_array_get(set, i)))
            settings[count++] = json_string_value(json_array_get(set, i));
    Status status = subject_generate(json_text_at(row, "generate"), settings, count, subject);
    if (status.code == STATUS_OK)
        snprintf(subject->name, sizeof subject->name, "%.*s", (int)sizeof subject->name - 1,
                 json_text_at(row, "name"));
    return status;
}

static int number_or(const json_t *object, const char *path, int standard)
{
    double value = json_number_at(object, path);
    return value >= 1.0 && value <= 1e6 ? (int)value : standard;
}

/* Different data under the same name give a table that compares apples with pears; say so. */
static void counts_note(const Bench *bench, const json_t *row, const Subject *subject)
{
    double vertices = json_number_at(row, "vertices"), frames = json_number_at(row, "frames");
    const Dataset *dataset = subject->dataset;
    if (vertices > 0.0 &&
        (vertices != dataset->mesh.vertex_count || frames != dataset->animation.frame_count))
        bench_note(bench, "%s: has %d vertices and %d frames, the paper's row %s has %.0f and %.0f",
                   subject->name, dataset->mesh.vertex_count, dataset->animation.frame_count,
                   json_text_at(row, "name"), vertices, frames);
}

static Status column_fit(const json_t *published, const json_t *column, const json_t *row,
                         const Subject *subject, Bench *bench)
{
    FitCell cell = {.bones = number_or(row, "bones", 20),
                    .influences = number_or(published, "settings.influences", 4),
                    .iterations = number_or(published, "settings.iterations", 15),
                    .threads = bench->threads,
                    .repeats = 1};
    const json_t *set = json_object_get(column, "set");
    json_t *record = NULL;
    char *key = NULL;
    Status status;
    snprintf(cell.method, sizeof cell.method, "%.*s", METHOD_NAME_BYTES - 1, json_text_at(column, "method"));
    for (size_t i = 0; i < json_array_size(set) && cell.setting_count < SETTINGS_MAX; i++)
        snprintf(cell.settings[cell.setting_count++], SETTING_BYTES, "%s",
                 json_string_value(json_array_get(set, i)));
    STATUS_TRY(fit_cell_plan(&cell, subject, &record));
    key = record_key(record);
    const json_t *before = key ? bench_find(bench, key) : NULL;
    if (before && record_is_settled(before)) {
        bench->counts.already++;
        goto done;
    }
    STATUS_TRY(fit_cell_run(&cell, subject, bench->progress, record));
    json_object_set_new(record, "table", json_string(json_text_at(published, "name")));
    json_object_set_new(record, "row", json_string(json_text_at(row, "name")));
    STATUS_TRY(bench_append(bench, json_incref(record)));
done:
    memory_free(key);
    json_decref(record);
    return status;
}

/* Several columns can come from one fit (its error, its times): the second finds the first's record. */
static Status row_run(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    const json_t *columns = json_object_get(published, "columns");
    Status status = status_ok();
    counts_note(bench, row, subject);
    for (size_t i = 0; i < json_array_size(columns) && status.code == STATUS_OK; i++) {
        const json_t *column = json_array_get(columns, i);
        bool repeated = strcmp(json_text_at(column, "quantity"), "e_rms") != 0;
        if (!repeated && decomposition_method_find(json_text_at(column, "method")))
            status = column_fit(published, column, row, subject, bench);
    }
    return status;
}

static Status rows_run(const json_t *published, const json_t *rows, bool stand_ins,
                       const TableSources *sources, Bench *bench)
{
    Status status = status_ok();
    for (size_t i = 0; i < json_array_size(rows) && status.code == STATUS_OK; i++) {
        const json_t *row = json_array_get(rows, i);
        Subject subject = {0};
        bool found = stand_ins;
        if (!progress_report(bench->progress, json_text_at(row, "name"),
                             (double)i / (double)json_array_size(rows)))
            return status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
        status = stand_ins ? stand_in_load(row, &subject) : row_load(row, sources, bench, &subject, &found);
        if (status.code == STATUS_OK && found)
            status = row_run(published, row, &subject, bench);
        subject_clear(&subject);
    }
    return status;
}

Status table_run(const json_t *published, const TableSources *sources, Bench *bench)
{
    Status status = rows_run(published, json_object_get(published, "rows"), false, sources, bench);
    if (status.code == STATUS_OK)
        status = rows_run(published, json_object_get(published, "stand_ins"), true, sources, bench);
    return status;
}

/* Tables of fits: rows are animations, columns decomposition methods with an error or a time of theirs. */
#include "harness/tables/table_kind.h"

#include "datasets/base/memory.h"
#include "harness/bench/fit_cell.h"
#include "harness/records/results.h"
#include "harness/tables/fit_tell.h"
#include "methods/registry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* The E_RMS that the fewest bones are sought for: the column's, else the row's; 0: the row's bones are
 * fitted. */
static double error_sought(const json_t *row, const json_t *column)
{
    double own = json_number_at(column, "error"), error = isnan(own) ? json_number_at(row, "error") : own;
    return error > 0.0 ? error : 0.0;
}

/* The bones of a fit; of a search the most it may try. */
static int bones_asked(const json_t *published, const json_t *row, const json_t *column)
{
    if (error_sought(row, column) > 0.0)
        return number_or(published, "settings.bones_max", 64);
    return number_or(row, "bones", 20);
}

static Status column_check(const char *path, const json_t *published, const json_t *column)
{
    const json_t *rows = json_object_get(published, "rows");
    for (size_t r = 0; r < json_array_size(rows); r++)
        if (strcmp(json_text_at(column, "quantity"), "bones") == 0 &&
            !(error_sought(json_array_get(rows, r), column) > 0.0))
            return status_make(STATUS_BAD_INPUT, "%s: neither column %s nor row %s has an error to reach",
                               path, json_text_at(column, "name"),
                               json_text_at(json_array_get(rows, r), "name"));
    return status_ok();
}

static Status column_fit(const json_t *published, const json_t *column, const json_t *row,
                         const Subject *subject, Bench *bench)
{
    FitCell cell = {.bones = bones_asked(published, row, column),
                    .error = error_sought(row, column),
                    .influences = number_or(published, "settings.influences", 4),
                    .iterations = number_or(published, "settings.iterations", 15),
                    .threads = bench->threads,
                    .repeats = 1};
    const char *settings[SETTINGS_MAX];
    int setting_count = settings_list(column, settings, SETTINGS_MAX);
    json_t *record = NULL;
    char *key = NULL;
    Status status;
    snprintf(cell.method, sizeof cell.method, "%.*s", METHOD_NAME_BYTES - 1, json_text_at(column, "method"));
    for (int i = 0; i < setting_count; i++)
        snprintf(cell.settings[cell.setting_count++], SETTING_BYTES, "%s", settings[i]);
    STATUS_TRY(fit_cell_plan(&cell, subject, &record));
    key = record_key(record);
    const json_t *before = key ? bench_find(bench, key) : NULL;
    if (before && record_json_is_settled(before)) {
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

/* Whether a column is the one its fit is run for: several can come from one fit (its error, times, size), and
 * the second finds the first's record. */
static bool column_leads(const json_t *column)
{
    const char *quantity = json_text_at(column, "quantity");
    return strcmp(quantity, "e_rms") == 0 || strcmp(quantity, "bones") == 0;
}

static Status fit_row_run(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    const json_t *columns = json_object_get(published, "columns");
    Status status = status_ok();
    if (!subject)
        return status;
    counts_note(bench, row, subject);
    for (size_t i = 0; i < json_array_size(columns) && status.code == STATUS_OK; i++) {
        const json_t *column = json_array_get(columns, i);
        if (column_leads(column) && column_kind_of(published, column) == &table_kind_fit &&
            decomposition_method_find(json_text_at(column, "method")))
            status = column_fit(published, column, row, subject, bench);
    }
    return status;
}

/* Whether every name=value of the column's `set` is what the record was run with. */
static bool settings_agree(const json_t *column, const json_t *record)
{
    const json_t *set = json_object_get(column, "set"), *parameters = json_object_get(record, "parameters");
    for (size_t i = 0; i < json_array_size(set); i++) {
        const char *setting = json_string_value(json_array_get(set, i));
        const char *equals = setting ? strchr(setting, '=') : NULL;
        char name[64];
        if (!equals || (size_t)(equals - setting) >= sizeof name)
            return false;
        snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
        const json_t *value = json_object_get(parameters, name);
        if (json_is_string(value) && strcmp(json_string_value(value), equals + 1) != 0)
            return false;
        if (!value)
            return false;
    }
    return true;
}

/* Whether a record is of the row's data, and of the task that the column asks for. */
static bool task_agrees(const json_t *published, const json_t *row, const json_t *column,
                        const json_t *record)
{
    const char *dataset = json_text_at(row, "dataset"), *name = json_text_at(row, "name");
    const char *told = json_text_at(record, "dataset.name");
    bool same_data = strcmp(told, name) == 0 || (dataset[0] && strcmp(told, dataset) == 0) ||
                     strcmp(json_text_at(record, "row"), name) == 0;
    double sought = error_sought(row, column), error = json_number_at(record, "parameters.error");
    return same_data && json_number_at(record, "parameters.bones") == bones_asked(published, row, column) &&
           json_number_at(record, "parameters.iterations") ==
               number_or(published, "settings.iterations", 15) &&
           (isnan(error) ? sought == 0.0 : error == sought) &&
           isnan(json_number_at(record, "parameters.holdout"));
}

static const json_t *fit_record_find(const json_t *published, const json_t *row, const json_t *column,
                                     const json_t *latest)
{
    const char *method = json_text_at(column, "method");
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "kind"), "decomposition") == 0 &&
            strcmp(json_text_at(record, "method"), method) == 0 &&
            task_agrees(published, row, column, record) && settings_agree(column, record))
            return record;
    }
    return NULL;
}

double fit_error_after(const json_t *record, double iteration)
{
    const json_t *curve = json_object_get(record, "iterations");
    for (size_t i = 0; i < json_array_size(curve); i++)
        if (json_number_at(json_array_get(curve, i), "iteration") == iteration)
            return json_number_at(json_array_get(curve, i), "e_rms");
    return NAN;
}

static double fit_value(const json_t *column, const json_t *record)
{
    char path[64];
    if (strcmp(json_text_at(column, "quantity"), "time_s") == 0) {
        snprintf(path, sizeof path, "timing.%s.median_s",
                 json_text_at(column, "stage")[0] ? json_text_at(column, "stage") : "total");
        return json_number_at(record, path);
    }
    if (strcmp(json_text_at(column, "quantity"), "bones") == 0)
        return json_number_at(record, "bones_delivered");
    if (strcmp(json_text_at(column, "quantity"), "size_mb") == 0)
        return 1e-6 * json_number_at(record, "size_bytes");
    double iteration = json_number_at(column, "iteration");
    return isnan(iteration) ? json_number_at(record, "metrics.e_rms") : fit_error_after(record, iteration);
}

static bool fit_built_in(const json_t *column)
{
    return decomposition_method_find(json_text_at(column, "method")) != NULL;
}

const TableKind table_kind_fit = {.name = "fit",
                                  .column_check = column_check,
                                  .row_run = fit_row_run,
                                  .record_find = fit_record_find,
                                  .value = fit_value,
                                  .built_in = fit_built_in,
                                  .tell = fit_tell};

#include "harness/report/record_tables.h"

#include "datasets/base/memory.h"
#include "harness/metrics/metrics.h"
#include "harness/records/results.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Keys are made once, not once per pair of records. */
static Status keys_make(const json_t *records, char **keys)
{
    for (size_t i = 0; i < json_array_size(records); i++) {
        keys[i] = record_key(json_array_get(records, i));
        if (!keys[i])
            return status_out_of_memory("the keys of results");
    }
    return status_ok();
}

static bool is_last_of_key(char *const *keys, size_t count, size_t index)
{
    for (size_t k = index + 1; k < count; k++)
        if (strcmp(keys[index], keys[k]) == 0)
            return false;
    return true;
}

static Status latest_sift(const json_t *records, char *const *keys, json_t *latest)
{
    size_t count = json_array_size(records);
    for (size_t i = 0; i < count; i++) {
        json_t *record = json_array_get(records, i);
        if (strcmp(json_text_at(record, "kind"), "environment") != 0 && is_last_of_key(keys, count, i) &&
            json_array_append(latest, record) != 0)
            return status_out_of_memory("results");
    }
    return status_ok();
}

Status records_latest(const json_t *records, json_t **latest)
{
    size_t count = json_array_size(records);
    char **keys = memory_array(count, sizeof *keys);
    Status status = status_out_of_memory("results");
    *latest = json_array();
    if (keys && *latest) {
        status = keys_make(records, keys);
        if (status.code == STATUS_OK)
            status = latest_sift(records, keys, *latest);
        for (size_t i = 0; i < count; i++)
            memory_free(keys[i]);
    }
    memory_free(keys);
    if (status.code != STATUS_OK) {
        json_decref(*latest);
        *latest = NULL;
    }
    return status;
}

static const Parameter *rows_of(const json_t *record, int *count)
{
    const SkinningEntry *skinning = skinning_entry_find(json_text_at(record, "method"));
    const DecompositionMethod *fit = decomposition_method_find(json_text_at(record, "method"));
    bool is_fit = strcmp(json_text_at(record, "kind"), "decomposition") == 0;
    *count = is_fit ? (fit ? fit->parameter_count : 0) : (skinning ? skinning->method->parameter_count : 0);
    return is_fit ? (fit ? fit->parameters : NULL) : (skinning ? skinning->method->parameters : NULL);
}

static void value_format(const json_t *value, char *text, size_t size)
{
    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "yes" : "no");
    else
        snprintf(text, size, "%g", json_number_value(value));
}

static bool is_standard(const Parameter *rows, int count, const char *name, const char *text)
{
    for (int i = 0; i < count; i++) {
        char standard[128];
        if (strcmp(rows[i].name, name) != 0)
            continue;
        parameter_format(&rows[i], rows[i].standard, standard, sizeof standard);
        if (rows[i].type == PARAMETER_REAL || rows[i].type == PARAMETER_INTEGER)
            snprintf(standard, sizeof standard, "%g", rows[i].standard);
        return strcmp(standard, text) == 0;
    }
    return strcmp(name, "time_limit_s") == 0 && strcmp(text, "0") == 0;
}

void record_parameters_format(const json_t *record, char *text, size_t size)
{
    int count = 0;
    const Parameter *rows = rows_of(record, &count);
    const char *name = NULL;
    json_t *value = NULL;
    size_t used = 0;
    text[0] = '\0';
    json_object_foreach(json_object_get(record, "parameters"), name, value)
    {
        char shown[128];
        value_format(value, shown, sizeof shown);
        if (used < size && !is_standard(rows, count, name, shown))
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", name, shown);
    }
}

static void interval_cell(TextTable *table, const json_t *timing, const char *name, int digits)
{
    const json_t *interval = json_object_get(timing, name);
    double median = json_number_at(interval, "median");
    double half =
        0.5 * (json_number_at(interval, "interval_high") - json_number_at(interval, "interval_low"));
    if (isnan(median))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.*f ± %.1f %%", digits, median, 100.0 * half / median);
}

/* "svds 1.2, updates_mean 0.8": means over the frames. */
static void counts_cell(TextTable *table, const json_t *record)
{
    char text[256] = "";
    const char *name = NULL;
    json_t *count = NULL;
    size_t used = 0;
    json_object_foreach(json_object_get(record, "counts"), name, count) if (used < sizeof text) used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3g", used ? ", " : "", name,
                         json_number_at(count, "mean"));
    text_table_cell(table, "%s", text);
}

static void skinning_row(TextTable *table, const json_t *record)
{
    char parameters[256];
    const json_t *timing = json_object_get(record, "timing");
    double poses = json_number_at(record, "frames"), share = json_number_at(timing, "bandwidth_share");
    record_parameters_format(record, parameters, sizeof parameters);
    text_table_row(table);
    text_table_cell(table, "%s", json_text_at(record, "dataset.name"));
    text_table_cell(table, "%s%s%s", json_text_at(record, "method"), parameters[0] ? " " : "", parameters);
    text_table_cell(table, "%s%s%s%s%s", json_text_at(record, "backend"),
                    json_text_at(record, "level")[0] ? " " : "", json_text_at(record, "level"),
                    json_is_true(json_object_get(record, "normals")) ? ", normals" : "",
                    json_is_true(json_object_get(record, "two_phase")) ? ", two phases" : "");
    text_table_cell(table, "%.0f", json_number_at(record, "threads"));
    interval_cell(table, timing, "ns_per_vertex", 2);
    interval_cell(table, timing, "ratio_to_scalar", 3);
    interval_cell(table, timing, "ratio_to_lbs", 3);
    if (isnan(share))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.0f %%", 100.0 * share);
    text_table_number(table, 1e6 * json_number_at(timing, "pose.median_s") / poses, 3);
    text_table_number(table, json_number_at(timing, "end_to_end_ns_per_vertex.median"), 3);
    text_table_number(table, 1e3 * json_number_at(timing, "bind.median_s"), 3);
    text_table_number(table, json_number_at(record, "metrics.reference_distance_max"), 2);
    text_table_cell(table, "%.0f %s", json_number_at(timing, "rounds"), json_text_at(timing, "end"));
    counts_cell(table, record);
}

static bool is_cell(const json_t *record, const char *kind, const char *dataset)
{
    return strcmp(json_text_at(record, "kind"), kind) == 0 &&
           (!dataset || strcmp(json_text_at(record, "dataset.sha256"), dataset) == 0);
}

Status skinning_table(const json_t *latest, const char *dataset, TextTable **out)
{
    static const char *const columns[] = {
        "<data set",   "<method",       "<backend",     "threads",           "skin ns/vertex",
        "over scalar", "over LBS",      "of bandwidth", "pose µs/frame",     "end to end ns/vertex",
        "bind ms",     "off reference", "<rounds",      "<counts per frame", NULL};
    Status status = text_table_create(
        "Skinning: medians per vertex and frame, with half of the 95 % interval", columns, out);
    if (status.code != STATUS_OK)
        return status;
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (is_cell(record, "skinning", dataset) && json_is_object(json_object_get(record, "timing")))
            skinning_row(*out, record);
    }
    return text_table_status(*out);
}

static void fit_row(TextTable *table, const json_t *record)
{
    char parameters[256], path[96];
    int count = 0;
    const Metric *rows = metric_rows(&count);
    record_parameters_format(record, parameters, sizeof parameters);
    text_table_row(table);
    text_table_cell(table, "%s", json_text_at(record, "dataset.name"));
    text_table_cell(table, "%s", json_text_at(record, "method"));
    text_table_cell(table, "%s", parameters);
    text_table_cell(table, "%.0f", json_number_at(record, "bones_delivered"));
    for (int i = 0; i < count; i++)
        if (rows[i].column.title) {
            snprintf(path, sizeof path, "metrics.%s", rows[i].name);
            text_table_number(table, rows[i].column.factor * json_number_at(record, path),
                              rows[i].column.digits);
        }
    text_table_number(table, json_number_at(record, "timing.total.median_s"), 3);
    text_table_number(table, json_number_at(record, "timing.initialization.median_s"), 3);
    text_table_number(table, json_number_at(record, "timing.step.median_s"), 3);
    text_table_cell(table, "%s", json_text_at(record, "end"));
}

Status fits_table(const json_t *latest, TextTable **out)
{
    const char *columns[METRICS_MAX + 9] = {"<data set", "<method", "<parameters", "bones"};
    int filled = 4, count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].column.title)
            columns[filled++] = rows[i].column.title;
    columns[filled++] = "total s";
    columns[filled++] = "init s";
    columns[filled++] = "step s";
    columns[filled++] = "<end";
    Status status = text_table_create("Decomposition: error of the model, posed and measured by the harness",
                                      columns, out);
    if (status.code != STATUS_OK)
        return status;
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (is_cell(record, "decomposition", NULL) && strcmp(json_text_at(record, "status"), "ok") == 0)
            fit_row(*out, record);
    }
    return text_table_status(*out);
}

Status counts_table(const json_t *latest, TextTable **out)
{
    static const char *const columns[] = {"<kind", "ok", "skipped", "wrong", "failed", NULL};
    static const char *const kinds[] = {"skinning", "decomposition", "study"};
    Status status = text_table_create("Cells", columns, out);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status.code == STATUS_OK; k++) {
        int counts[4] = {0};
        for (size_t i = 0; i < json_array_size(latest); i++) {
            const json_t *record = json_array_get(latest, i);
            for (int c = 0; c < 4 && is_cell(record, kinds[k], NULL); c++)
                counts[c] += strcmp(json_text_at(record, "status"), columns[c + 1]) == 0;
        }
        text_table_row(*out);
        text_table_cell(*out, "%s", kinds[k]);
        for (int c = 0; c < 4; c++)
            text_table_cell(*out, "%d", counts[c]);
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

Status reasons_table(const json_t *latest, TextTable **out)
{
    static const char *const columns[] = {"<data set", "<method", "<backend", "<status", "<reason", NULL};
    Status status = text_table_create("Cells without a number", columns, out);
    if (status.code != STATUS_OK)
        return status;
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "status"), "ok") == 0)
            continue;
        text_table_row(*out);
        bool study = strcmp(json_text_at(record, "kind"), "study") == 0;
        text_table_cell(*out, "%s", json_text_at(record, study ? "row" : "dataset.name"));
        text_table_cell(*out, "%s", json_text_at(record, study ? "study" : "method"));
        text_table_cell(*out, "%s", json_text_at(record, "backend"));
        text_table_cell(*out, "%s", json_text_at(record, "status"));
        text_table_cell(*out, "%s", json_text_at(record, "reason"));
    }
    return text_table_status(*out);
}

json_t *records_datasets(const json_t *latest, const char *kind)
{
    json_t *seen = json_array();
    for (size_t i = 0; seen && i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        bool known = !is_cell(record, kind, NULL);
        for (size_t k = 0; k < json_array_size(seen) && !known; k++)
            known = strcmp(json_text_at(json_array_get(seen, k), "sha256"),
                           json_text_at(record, "dataset.sha256")) == 0;
        if (!known)
            json_array_append(seen, json_object_get(record, "dataset"));
    }
    return seen;
}

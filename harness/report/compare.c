#include "harness/report/compare.h"

#include "datasets/base/memory.h"
#include "harness/metrics/metrics.h"
#include "harness/records/results.h"
#include "harness/report/record_tables.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void cell_name(const json_t *record, char *text, size_t size)
{
    char parameters[256];
    if (strcmp(json_text_at(record, "kind"), "study") == 0) {
        snprintf(text, size, "%s, %s: study %s", json_text_at(record, "table"), json_text_at(record, "row"),
                 json_text_at(record, "study"));
        return;
    }
    record_parameters_format(record, parameters, sizeof parameters);
    snprintf(text, size, "%s: %s%s%s on %s, threads %.0f%s%s", json_text_at(record, "dataset.name"),
             json_text_at(record, "method"), parameters[0] ? " " : "", parameters,
             json_text_at(record, "backend"), json_number_at(record, "threads"),
             json_is_true(json_object_get(record, "normals")) ? ", normals" : "",
             json_is_true(json_object_get(record, "two_phase")) ? ", two phases" : "");
}

static void finding_add(Comparison *out, const json_t *record, const char *finding, const char *metric,
                        double base, double fresh)
{
    char name[512];
    cell_name(record, name, sizeof name);
    json_array_append_new(out->findings,
                          json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "cell", name, "finding", finding,
                                    "metric", metric, "base", json_number_or_null(base), "new",
                                    json_number_or_null(fresh), "ratio", json_number_or_null(fresh / base)));
}

/* A guarded metric may move the worse way by `tolerance`, a share, and its slack; what is not a number any
 * more is worse. */
static void metrics_compare(const json_t *base, const json_t *fresh, double tolerance, Comparison *out)
{
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++) {
        char path[96];
        snprintf(path, sizeof path, "metrics.%s", rows[i].name);
        double before = json_number_at(base, path), after = json_number_at(fresh, path);
        if (!rows[i].guarded || isnan(before))
            continue;
        bool above = !(after <= before * (1.0 + tolerance) + rows[i].slack);
        bool below = !(after >= before * (1.0 - tolerance) - rows[i].slack);
        bool lower_is_better = rows[i].better == METRIC_LOWER;
        if (lower_is_better ? above : below) {
            out->worse++;
            finding_add(out, base, "worse", rows[i].name, before, after);
        } else if (lower_is_better ? below : above) {
            out->better++;
            finding_add(out, base, "better", rows[i].name, before, after);
        }
    }
}

static void times_tell(const json_t *base, const json_t *fresh, Comparison *out)
{
    static const char *const paths[] = {"timing.ns_per_vertex.median", "timing.total.median_s"};
    if (strcmp(json_text_at(base, "environment"), json_text_at(fresh, "environment")) != 0)
        return;
    for (size_t i = 0; i < 2; i++) {
        double before = json_number_at(base, paths[i]), after = json_number_at(fresh, paths[i]);
        if (!isnan(before) && !isnan(after))
            finding_add(out, base, "time", paths[i], before, after);
    }
}

static const json_t *record_of_key(const json_t *latest, char *const *keys, const char *key)
{
    for (size_t i = 0; i < json_array_size(latest); i++)
        if (keys[i] && key && strcmp(keys[i], key) == 0)
            return json_array_get(latest, i);
    return NULL;
}

static bool is_ok(const json_t *record)
{
    return record && strcmp(json_text_at(record, "status"), "ok") == 0;
}

static void cells_compare(const json_t *base, const json_t *fresh, char *const *keys, double tolerance,
                          Comparison *out)
{
    for (size_t i = 0; i < json_array_size(base); i++) {
        const json_t *before = json_array_get(base, i);
        if (!is_ok(before) || strcmp(json_text_at(before, "kind"), "row") == 0)
            continue;
        char *key = record_key(before);
        const json_t *after = record_of_key(fresh, keys, key);
        memory_free(key);
        out->cells++;
        if (!is_ok(after)) {
            out->vanished++;
            finding_add(out, before, "vanished", after ? json_text_at(after, "status") : "not there", NAN,
                        NAN);
            continue;
        }
        metrics_compare(before, after, tolerance, out);
        times_tell(before, after, out);
    }
}

Status results_compare(const json_t *base, const json_t *fresh, double tolerance, Comparison *out)
{
    json_t *base_latest = NULL, *fresh_latest = NULL;
    char **keys = NULL;
    *out = (Comparison){.findings = json_array()};
    Status status = out->findings ? status_ok() : status_out_of_memory("the comparison");
    STATUS_TRY(status);
    STATUS_TRY(records_latest(base, &base_latest));
    STATUS_TRY(records_latest(fresh, &fresh_latest));
    keys = memory_array(json_array_size(fresh_latest), sizeof *keys);
    if (!keys) {
        status = status_out_of_memory("the comparison");
        goto done;
    }
    for (size_t i = 0; i < json_array_size(fresh_latest); i++)
        keys[i] = record_key(json_array_get(fresh_latest, i));
    cells_compare(base_latest, fresh_latest, keys, tolerance, out);
done:
    for (size_t i = 0; keys && i < json_array_size(fresh_latest); i++)
        memory_free(keys[i]);
    memory_free(keys);
    json_decref(base_latest);
    json_decref(fresh_latest);
    return status;
}

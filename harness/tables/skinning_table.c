/* Tables of direct methods: rows are rigs, columns ways to skin them with a quantity of each. All of a row is
 * timed as one group, in common rounds.
 *
 * Which data a row was run on stands in the result file as a record of kind "row": it ties the row to the
 * records of its data set, whichever table or bench run they were made for. */
#include "harness/tables/table_kind.h"

#include "datasets/base/memory.h"
#include "harness/bench/fit_cell.h"
#include "harness/records/results.h"
#include "harness/tables/published.h"
#include "methods/registry.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a column can show of a skinning record: path * factor, times the vertices where it is a time of the
 * whole model. */
typedef struct Quantity {
    const char *name, *path;
    double factor;
    bool of_model;
} Quantity;

static const Quantity quantities[] = {
    {"ns_per_vertex", "timing.ns_per_vertex.median", 1.0, false},
    {"end_to_end_ns_per_vertex", "timing.end_to_end_ns_per_vertex.median", 1.0, false},
    {"skin_ms", "timing.ns_per_vertex.median", 1e-6, true},
    {"end_to_end_ms", "timing.end_to_end_ns_per_vertex.median", 1e-6, true},
    {"bind_s", "timing.bind.median_s", 1.0, false},
    {"ratio_to_lbs", "timing.ratio_to_lbs.median", 1.0, false},
    {"ratio_to_lbs_end_to_end", "timing.ratio_to_lbs_end_to_end.median", 1.0, false},
    {"ratio_to_scalar", "timing.ratio_to_scalar.median", 1.0, false},
    {"bytes_per_vertex", "timing.bytes_per_vertex", 1.0, false},
    {"bandwidth_share", "timing.bandwidth_share", 1.0, false},
    {"reference_distance_max", "metrics.reference_distance_max", 1.0, false},
    {"e_rms", "metrics.e_rms", 1.0, false},
    {"vertices", "dataset.vertices", 1.0, false},
    {"triangles", "dataset.triangles", 1.0, false},
    {"joints", "dataset.joints", 1.0, false},
    {"joint_sets", "joint_sets", 1.0, false},
};

/* "counts.svds": a counter of the method, the mean over the frames; "counts.svds.max" its maximum. */
static const char COUNTS[] = "counts.";

static const Quantity *quantity_find(const char *name)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

static Status column_check(const char *path, const json_t *published, const json_t *column)
{
    const char *name = json_text_at(column, "name"), *quantity = json_text_at(column, "quantity");
    const char *backend = json_text_at(column, "backend");
    const Backend *known = NULL;
    (void)published;
    if (json_text_at(column, "method")[0] == '\0')
        return status_make(STATUS_BAD_INPUT, "%s: column %s has no method", path, name);
    if (strncmp(quantity, COUNTS, sizeof COUNTS - 1) != 0 && !quantity_find(quantity))
        return status_make(STATUS_BAD_INPUT, "%s: column %s: no quantity '%s' of skinning", path, name,
                           quantity);
    if (backend[0] != '\0' && backend_find(backend, &known).code != STATUS_OK)
        return status_make(STATUS_BAD_INPUT, "%s: column %s: no backend '%s'", path, name, backend);
    return status_ok();
}

static bool built_in(const json_t *column)
{
    return skinning_entry_find(json_text_at(column, "method")) != NULL;
}

/* The plan of a column; what it leaves out is as in the table's settings, else simd on one thread. */
static Status column_plan(const json_t *published, const json_t *column, SkinningPlan *plan)
{
    const json_t *settings = json_object_get(published, "settings");
    const char *assignments[SETTINGS_MAX];
    int count = settings_list(column, assignments, SETTINGS_MAX);
    const char *backend = json_text_at(column, "backend");
    if (backend[0] == '\0')
        backend = json_text_at(settings, "backend");
    double threads = json_number_at(column, "threads");
    if (isnan(threads))
        threads = json_number_at(settings, "threads");
    Status status;
    STATUS_TRY(skinning_plan_make(json_text_at(column, "method"), assignments, count, plan));
    plan->backend = &backend_simd;
    if (backend[0] != '\0')
        STATUS_TRY(backend_find(backend, &plan->backend));
    plan->threads = threads >= 1.0 && threads <= 1024.0 ? (int)threads : 1;
    plan->normals = json_is_true(json_object_get(column, "normals"));
    plan->two_phase = json_is_true(json_object_get(column, "two_phase"));
    snprintf(plan->level, sizeof plan->level, "%.15s", json_text_at(column, "level"));
done:
    return status;
}

/* Says in the result file which data the row was run on. */
static Status row_note(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    json_t *record = json_pack("{s:i, s:s, s:s, s:s, s:o?, s:s, s:s}", "schema", 1, "kind", "row", "table",
                               json_text_at(published, "name"), "row", json_text_at(row, "name"), "dataset",
                               subject_to_json(subject), "status", "ok", "reason", "");
    char *key = record ? record_key(record) : NULL;
    if (!key) {
        json_decref(record);
        return status_out_of_memory("a row of a table");
    }
    bool known = bench_find(bench, key) != NULL;
    memory_free(key);
    if (!known)
        return bench_append(bench, record);
    json_decref(record);
    return status_ok();
}

static Status row_run(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    const json_t *columns = json_object_get(published, "columns");
    size_t room = json_array_size(columns);
    SkinningPlan *plans = NULL;
    int count = 0;
    Status status = status_ok();
    if (!subject)
        return status;
    if (subject->dataset->rig.joint_count == 0 || subject->dataset->rig.frame_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: there is no rig with transforms to skin with",
                           subject->name);
    plans = memory_array(room, sizeof *plans);
    if (!plans)
        return status_out_of_memory("the plans of a table");
    for (size_t i = 0; i < room; i++) {
        const json_t *column = json_array_get(columns, i);
        if (column_kind_of(published, column) == &table_kind_skinning && built_in(column))
            STATUS_TRY(column_plan(published, column, &plans[count++]));
    }
    STATUS_TRY(row_note(published, row, subject, bench));
    if (count > 0)
        STATUS_TRY(skinning_group_run(bench, subject, plans, count));
done:
    memory_free(plans);
    return status;
}

/* The digest of the data that the row was last run on; "": it was not. */
static const char *row_digest(const json_t *published, const json_t *row, const json_t *latest)
{
    for (size_t i = json_array_size(latest); i-- > 0;) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "kind"), "row") == 0 &&
            strcmp(json_text_at(record, "table"), json_text_at(published, "name")) == 0 &&
            strcmp(json_text_at(record, "row"), json_text_at(row, "name")) == 0)
            return json_text_at(record, "dataset.sha256");
    }
    return "";
}

/* Whether a record has every member of a plan, and neither a level nor a second phase where the plan has
 * none.
 */
static bool plan_agrees(const json_t *asked, const json_t *record)
{
    static const char *const members[] = {"kind",       "method",  "backend", "level",
                                          "parameters", "threads", "normals", "two_phase"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *a = json_object_get(asked, members[i]), *b = json_object_get(record, members[i]);
        if ((a == NULL) != (b == NULL) || (a && !json_equal(a, b)))
            return false;
    }
    return true;
}

static const json_t *record_find(const json_t *published, const json_t *row, const json_t *column,
                                 const json_t *latest)
{
    const char *digest = row_digest(published, row, latest);
    SkinningPlan plan;
    if (digest[0] == '\0' || !built_in(column) || column_plan(published, column, &plan).code != STATUS_OK)
        return NULL;
    json_t *asked = skinning_plan_to_json(&plan);
    const json_t *found = NULL;
    for (size_t i = json_array_size(latest); i-- > 0 && asked && !found;) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "dataset.sha256"), digest) == 0 && plan_agrees(asked, record))
            found = record;
    }
    json_decref(asked);
    return found;
}

static double value(const json_t *column, const json_t *record)
{
    const char *name = json_text_at(column, "quantity");
    if (strncmp(name, COUNTS, sizeof COUNTS - 1) == 0) {
        char path[96];
        const char *counter = name + sizeof COUNTS - 1;
        snprintf(path, sizeof path, "%s%s", name, strchr(counter, '.') ? "" : ".mean");
        return json_number_at(record, path);
    }
    const Quantity *quantity = quantity_find(name);
    double number = quantity ? quantity->factor * json_number_at(record, quantity->path) : NAN;
    return quantity && quantity->of_model ? number * json_number_at(record, "dataset.vertices") : number;
}

const TableKind table_kind_skinning = {.name = "skinning",
                                       .column_check = column_check,
                                       .row_run = row_run,
                                       .record_find = record_find,
                                       .value = value,
                                       .built_in = built_in};

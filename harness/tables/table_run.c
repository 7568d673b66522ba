/* Runs the cells of published tables: fits one by one, the skinning of a row as one group in common rounds,
 * studies once per row. */
#include "harness/tables/table_run.h"

#include "datasets/base/memory.h"
#include "harness/records/results.h"
#include "harness/studies/study.h"
#include "harness/tables/column_kind.h"
#include <string.h>

/* ---- fits ---- */

/* Different data under the same name give a table that compares apples with pears; say so. */
static void counts_note(const Bench *bench, const TableRow *row, const Subject *subject)
{
    double vertices = row->sizes[SIZE_VERTICES], frames = row->sizes[SIZE_FRAMES];
    const Dataset *dataset = subject->dataset;
    if (vertices > 0.0 &&
        (vertices != dataset->mesh.vertex_count || frames != dataset->animation.frame_count))
        bench_note(bench, "%s: has %d vertices and %d frames, the paper's row %s has %.0f and %.0f",
                   subject->name, dataset->mesh.vertex_count, dataset->animation.frame_count, row->name,
                   vertices, frames);
}

static Status column_fit_run(const PublishedTable *table, const TableRow *row, const TableColumn *column,
                             const Subject *subject, Bench *bench)
{
    FitCell cell = table_fit_cell(table, row, column);
    json_t *record = NULL;
    char *key = NULL;
    Status status;
    cell.threads = bench->threads;
    STATUS_TRY(fit_cell_plan(&cell, subject, &record));
    key = record_key(record);
    const json_t *before = key ? bench_find(bench, key) : NULL;
    if (before && record_json_is_settled(before)) {
        bench->counts.already++;
        goto done;
    }
    STATUS_TRY(fit_cell_run(&cell, subject, bench->progress, record));
    json_object_set_new(record, "table", json_string(table->name));
    json_object_set_new(record, "row", json_string(row->name));
    STATUS_TRY(bench_append(bench, json_incref(record)));
done:
    memory_free(key);
    json_decref(record);
    return status;
}

/* Whether a column is the one its fit is run for: several can come from one fit (its error, times, size), and
 * the second finds the first's record. */
static bool column_leads(const TableColumn *column)
{
    return strcmp(column->quantity, "e_rms") == 0 || strcmp(column->quantity, "bones") == 0 ||
           column_metric(column->quantity);
}

static Status fits_run(const PublishedTable *table, const TableRow *row, const Subject *subject, Bench *bench)
{
    Status status = status_ok();
    if (!subject)
        return status;
    counts_note(bench, row, subject);
    for (int c = 0; c < table->column_count && status.code == STATUS_OK; c++) {
        const TableColumn *column = &table->columns[c];
        if (column->kind == &column_kind_fit && column_leads(column) && column->kind->built_in(column))
            status = column_fit_run(table, row, column, subject, bench);
    }
    return status;
}

/* ---- skinning ---- */

/* Says in the result file which data the row was run on. */
static Status row_note(const PublishedTable *table, const TableRow *row, const Subject *subject, Bench *bench)
{
    json_t *record =
        json_pack("{s:i, s:s, s:s, s:s, s:o?, s:s, s:s}", "schema", 1, "kind", "row", "table", table->name,
                  "row", row->name, "dataset", subject_to_json(subject), "status", "ok", "reason", "");
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

static Status skinning_run(const PublishedTable *table, const TableRow *row, const Subject *subject,
                           Bench *bench)
{
    SkinningPlan *plans = NULL;
    int count = 0;
    Status status = status_ok();
    if (!subject)
        return status;
    if (subject->dataset->rig.joint_count == 0 || subject->dataset->rig.frame_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: there is no rig with transforms to skin with",
                           subject->name);
    plans = memory_array((size_t)table->column_count, sizeof *plans);
    if (!plans)
        return status_out_of_memory("the plans of a table");
    for (int c = 0; c < table->column_count; c++) {
        const TableColumn *column = &table->columns[c];
        if (column->kind == &column_kind_skinning && column->kind->built_in(column))
            STATUS_TRY(table_skinning_plan(table, column, &plans[count++]));
    }
    STATUS_TRY(row_note(table, row, subject, bench));
    if (count > 0)
        STATUS_TRY(skinning_group_run(bench, subject, plans, count));
done:
    memory_free(plans);
    return status;
}

/* ---- studies ---- */

/* Numbers to `measures`, arrays to `curves`. */
static void measures_file(json_t *record, const json_t *measured)
{
    json_t *measures = json_object(), *curves = json_object(), *value = NULL;
    const char *name = NULL;
    json_object_foreach((json_t *)measured, name, value)
        json_object_set(json_is_array(value) ? curves : measures, name, value);
    json_object_set_new(record, "measures", measures);
    if (json_object_size(curves) > 0)
        json_object_set(record, "curves", curves);
    json_decref(curves);
}

/* Runs the study and fills its record in; not OK only when the user asked for a stop. */
static Status record_fill(const Study *study, const TableRow *row, const Subject *subject, const Bench *bench,
                          json_t *record)
{
    StudyInput input = {.parameters = json_object_get(record, "parameters"),
                        .subject = subject,
                        .threads = bench->threads,
                        .progress = bench->progress};
    json_t *measured = json_object();
    Status status = measured ? study->run(&input, measured) : status_out_of_memory("a study");
    bool skipped = status.code == STATUS_UNAVAILABLE || status.code == STATUS_BAD_INPUT;
    const char *ended = status.code == STATUS_OK ? "ok" : skipped ? "skipped" : "failed";
    json_object_set_new(record, "status", json_string(ended));
    json_object_set_new(record, "reason", json_string(status.text));
    if (status.code == STATUS_OK)
        measures_file(record, measured);
    else
        json_object_set_new(record, "measures", json_null());
    json_decref(measured);
    if (status.code == STATUS_STOPPED)
        return status;
    if (status.code != STATUS_OK)
        bench_note(bench, "%s, %s: %s: %s", study->name, row->name, ended, status.text);
    return status_ok();
}

static Status study_run(const PublishedTable *table, const TableRow *row, const char *name,
                        const Subject *subject, Bench *bench)
{
    json_t *record = json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o?, s:i}", "schema", 1, "kind", "study",
                               "study", name, "table", table->name, "row", row->name, "dataset",
                               subject ? subject_to_json(subject) : json_null(), "parameters",
                               argument_to_json(&row->parameters), "threads", bench->threads);
    char *key = record ? record_key(record) : NULL;
    const json_t *before = key ? bench_find(bench, key) : NULL;
    Status status = key ? status_ok() : status_out_of_memory("a study");
    if (before && record_json_is_settled(before)) {
        bench->counts.already++;
    } else if (status.code == STATUS_OK) {
        status = record_fill(study_find(name), row, subject, bench, record);
        if (status.code == STATUS_OK)
            status = bench_append(bench, json_incref(record));
    }
    memory_free(key);
    json_decref(record);
    return status;
}

static Status studies_run(const PublishedTable *table, const TableRow *row, const Subject *subject,
                          Bench *bench)
{
    Status status = status_ok();
    for (int c = 0; c < table->column_count && status.code == STATUS_OK; c++) {
        const char *name = table_study(table, row, &table->columns[c]);
        bool wanted = table->columns[c].kind == &column_kind_study;
        for (int k = 0; k < c && wanted; k++)
            wanted = table->columns[k].kind != &column_kind_study ||
                     strcmp(table_study(table, row, &table->columns[k]), name) != 0;
        if (wanted)
            status = study_run(table, row, name, subject, bench);
    }
    return status;
}

/* ---- rows ---- */

/* Every kind that a column of the table is of runs what the row needs of it. */
static Status row_run(const PublishedTable *table, const TableRow *row, const Subject *subject, Bench *bench)
{
    static const struct {
        const ColumnKind *kind;
        Status (*run)(const PublishedTable *table, const TableRow *row, const Subject *subject, Bench *bench);
    } runs[] = {{&column_kind_fit, fits_run},
                {&column_kind_skinning, skinning_run},
                {&column_kind_study, studies_run}};
    Status status = status_ok();
    for (int c = 0; c < table->column_count && status.code == STATUS_OK; c++) {
        const ColumnKind *kind = table->columns[c].kind;
        bool first = true;
        for (int k = 0; k < c && first; k++)
            first = table->columns[k].kind != kind;
        for (size_t i = 0; i < sizeof runs / sizeof *runs && first; i++)
            if (runs[i].kind == kind)
                status = runs[i].run(table, row, subject, bench);
    }
    return status;
}

Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench)
{
    Status status = status_ok();
    for (int r = 0; r < table->row_count && status.code == STATUS_OK; r++) {
        const TableRow *row = &table->rows[r];
        int first = row->stand_in ? table->paper_row_count : 0;
        int count = row->stand_in ? table->row_count - first : table->paper_row_count;
        Subject subject = {0};
        bool has_dataset = row_has_dataset(row), found = false;
        if (!progress_report(bench->progress, row->name, (double)(r - first) / count))
            return status_make(STATUS_STOPPED, "stopped; the same command goes on from here");
        if (has_dataset)
            status = row_subject_load(row, sources, bench, &subject, &found);
        if (status.code == STATUS_OK && (found || !has_dataset))
            status = row_run(table, row, found ? &subject : NULL, bench);
        subject_clear(&subject);
    }
    return status;
}

/* Tables of studies: each row is filled by one run of a study, or by one of each that its columns name. A row
 * without a data set is one of a study that needs none. */
#include "harness/tables/table_kind.h"

#include "datasets/base/memory.h"
#include "harness/records/results.h"
#include "harness/studies/study.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The study of a cell: the column's, else the row's, else the table's. */
static const char *study_name(const json_t *published, const json_t *row, const json_t *column)
{
    const json_t *const owners[3] = {column, row, published};
    for (int i = 0; i < 3; i++)
        if (json_text_at(owners[i], "study")[0] != '\0')
            return json_text_at(owners[i], "study");
    return "";
}

static Status owner_check(const char *path, const json_t *owner, const char *what)
{
    const char *name = json_text_at(owner, "study");
    if (name[0] != '\0' && !study_find(name))
        return status_make(STATUS_BAD_INPUT, "%s: %s%s: no study '%s'", path, what,
                           json_text_at(owner, "name"), name);
    return status_ok();
}

static Status column_check(const char *path, const json_t *published, const json_t *column)
{
    static const char *const lists[] = {"rows", "stand_ins"};
    Status status;
    STATUS_TRY(owner_check(path, published, "table "));
    STATUS_TRY(owner_check(path, column, "column "));
    for (size_t l = 0; l < 2; l++)
        for (size_t r = 0; r < json_array_size(json_object_get(published, lists[l])); r++) {
            const json_t *row = json_array_get(json_object_get(published, lists[l]), r);
            STATUS_TRY(owner_check(path, row, "row "));
            if (study_name(published, row, column)[0] == '\0')
                return status_make(STATUS_BAD_INPUT, "%s: row %s, column %s: there is no study", path,
                                   json_text_at(row, "name"), json_text_at(column, "name"));
        }
done:
    return status;
}

/* The table's settings, over them the row's parameters. A new object. */
static json_t *parameters_of(const json_t *published, const json_t *row)
{
    json_t *parameters = json_object();
    const json_t *settings = json_object_get(published, "settings"),
                 *own = json_object_get(row, "parameters");
    if (parameters && settings)
        json_object_update(parameters, (json_t *)settings);
    if (parameters && own)
        json_object_update(parameters, (json_t *)own);
    return parameters;
}

static json_t *record_plan(const json_t *published, const json_t *row, const char *study,
                           const Subject *subject, int threads)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o?, s:i}", "schema", 1, "kind", "study", "study",
                     study, "table", json_text_at(published, "name"), "row", json_text_at(row, "name"),
                     "dataset", subject ? subject_to_json(subject) : json_null(), "parameters",
                     parameters_of(published, row), "threads", threads);
}

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
static Status record_fill(const Study *study, const json_t *row, const Subject *subject, const Bench *bench,
                          json_t *record)
{
    StudyInput input = {.parameters = json_object_get(record, "parameters"),
                        .row = row,
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
        bench_note(bench, "%s, %s: %s: %s", study->name, json_text_at(row, "name"), ended, status.text);
    return status_ok();
}

static Status study_run(const json_t *published, const json_t *row, const Study *study,
                        const Subject *subject, Bench *bench)
{
    json_t *record = record_plan(published, row, study->name, subject, bench->threads);
    char *key = record ? record_key(record) : NULL;
    const json_t *before = key ? bench_find(bench, key) : NULL;
    Status status = key ? status_ok() : status_out_of_memory("a study");
    if (before && record_json_is_settled(before)) {
        bench->counts.already++;
    } else if (status.code == STATUS_OK) {
        status = record_fill(study, row, subject, bench, record);
        if (status.code == STATUS_OK)
            status = bench_append(bench, json_incref(record));
    }
    memory_free(key);
    json_decref(record);
    return status;
}

static Status row_run(const json_t *published, const json_t *row, const Subject *subject, Bench *bench)
{
    const json_t *columns = json_object_get(published, "columns");
    Status status = status_ok();
    for (size_t i = 0; i < json_array_size(columns) && status.code == STATUS_OK; i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = study_name(published, row, column);
        bool wanted = column_kind_of(published, column) == &table_kind_study;
        for (size_t k = 0; k < i && wanted; k++)
            wanted = column_kind_of(published, json_array_get(columns, k)) != &table_kind_study ||
                     strcmp(study_name(published, row, json_array_get(columns, k)), name) != 0;
        if (wanted)
            status = study_run(published, row, study_find(name), subject, bench);
    }
    return status;
}

static const json_t *record_find(const json_t *published, const json_t *row, const json_t *column,
                                 const json_t *latest)
{
    const char *study = study_name(published, row, column);
    json_t *parameters = parameters_of(published, row);
    const json_t *found = NULL;
    for (size_t i = json_array_size(latest); i-- > 0 && !found;) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "kind"), "study") == 0 &&
            strcmp(json_text_at(record, "study"), study) == 0 &&
            strcmp(json_text_at(record, "table"), json_text_at(published, "name")) == 0 &&
            strcmp(json_text_at(record, "row"), json_text_at(row, "name")) == 0 &&
            json_equal(json_object_get(record, "parameters"), parameters))
            found = record;
    }
    json_decref(parameters);
    return found;
}

static double value(const json_t *column, const json_t *record)
{
    const json_t *number =
        json_object_get(json_object_get(record, "measures"), json_text_at(column, "quantity"));
    return json_is_number(number) ? json_number_value(number) : NAN;
}

const TableKind table_kind_study = {.name = "study",
                                    .column_check = column_check,
                                    .row_run = row_run,
                                    .record_find = record_find,
                                    .value = value};

/* Flattens JSON records into rows of CSV. */
#include "harness/show/tables/record_csv.h"

#include "datasets/io/json_table.h"
#include "harness/records/files/record_json.h"
#include "harness/show/text/text_table.h"

/* Copies the members of an object, and of nested objects under their paths, to `flat`; borrowed values get
 * a reference. */
static bool flatten(const json_t *object, const char *before, json_t *flat)
{
    const char *name = NULL;
    json_t *value = NULL;
    bool made = true;
    json_object_foreach((json_t *)object, name, value)
    {
        char place[JSON_WHERE_BYTES];
        snprintf(place, sizeof place, "%s%s%s", before, before[0] ? "." : "", name);
        if (json_is_object(value))
            made = made && flatten(value, place, flat);
        else
            made = made && json_object_set(flat, place, value) == 0;
    }
    return made;
}

static Status text_cell_write(const char *text, FILE *file)
{
    const size_t size = 4 * strlen(text) + 1;
    LOCAL_ARRAY(char, escaped, size, "a table");
    (void)text_escape(escaped, size, text);
    csv_text_write(escaped, file);
    return status_ok();
}

static Status cell_write(const json_t *value, FILE *file)
{
    char number[NUMBER_EXACT_BYTES];
    if (!value || json_is_null(value))
        return status_ok();
    if (json_is_string(value))
        return text_cell_write(json_string_value(value), file);
    if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "true" : "false", file);
    } else if (json_is_integer(value)) {
        fprintf(file, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        number_exact(json_real_value(value), number);
        fputs(number, file);
    } else {
        char *list = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
        ALLOCATED(list, "a table");
        csv_text_write(list, file);
        free(list);
    }
    return status_ok();
}

/* A table written in two passes, the first of which finds the columns, so that only one row is in
 * memory. */
typedef struct CsvRows {
    FILE *file;
    json_t *columns; /* object with a member for each column */
    bool written;    /* the columns are written and rows follow */
} CsvRows;

/* Adds an object as a row and takes ownership of it. */
static Status row_add(CsvRows *rows, json_t *object)
{
    json_auto_t *owned = object, *flat = json_object();
    const char *place = NULL;
    json_t *value = NULL;
    bool first = true;
    if (!owned || !flat || !flatten(owned, "", flat) ||
        (!rows->written && json_object_update_missing(rows->columns, flat) != 0))
        return status_out_of_memory("a table");
    json_object_foreach(rows->columns, place, value)
    {
        if (!rows->written)
            break;
        fputs(first ? "" : ",", rows->file);
        first = false;
        STATUS_TRY(cell_write(json_object_get(flat, place), rows->file));
    }
    if (rows->written)
        fputc('\n', rows->file);
    return status_ok();
}

Status records_csv_write(const RecordView *records, CellKind kind, FILE *file)
{
    json_auto_t *columns = json_object();
    CsvRows rows = {file, columns, false};
    int all = 0;
    const EnvironmentRecord *environments = record_store_environments(records->store, &all);
    ALLOCATED(columns, "a table");
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < all && kind == CSV_ENVIRONMENTS; i++)
            if (!records->machine || strcmp(environments[i].environment.machine, records->machine) == 0)
                STATUS_TRY(row_add(&rows, environment_record_to_json(&environments[i])));
        for (const Record *record = NULL;
             kind != CSV_ENVIRONMENTS && (record = record_view_next_kind(records, kind, record));)
            STATUS_TRY(row_add(&rows, record_to_json(record)));
        if (pass == 0) {
            const char *place = NULL;
            json_t *value = NULL;
            bool first = true;
            json_object_foreach(rows.columns, place, value)
            {
                fputs(first ? "" : ",", rows.file);
                first = false;
                STATUS_TRY(text_cell_write(place, rows.file));
            }
            rows.written = true;
            if (!first)
                fputc('\n', rows.file);
        }
    }
    return status_ok();
}

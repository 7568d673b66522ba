/* Writes JSON records as rows of CSV, with nested members as columns. */
#include "harness/show/tables/record_csv.h"

#include "datasets/io/json_table.h"
#include "harness/records/files/record_json.h"
#include "harness/show/text/targets.h"
#include "harness/show/text/text_table.h"

/* Copies all members of an object to `flat`; members of nested objects are named by their paths. Returns
 * false if memory runs out. */
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

static Status cell_write(const json_t *value, CsvFile *file)
{
    char number[NUMBER_EXACT_BYTES];
    if (!value || json_is_null(value))
        return status_ok();
    if (json_is_string(value)) {
        csv_print(file, "%s", json_string_value(value));
    } else if (json_is_boolean(value)) {
        csv_print(file, "%s", json_is_true(value) ? "true" : "false");
    } else if (json_is_integer(value)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        csv_print(file, "%s", number);
    } else if (json_is_real(value)) {
        number_exact(json_real_value(value), number);
        csv_print(file, "%s", number);
    } else {
        OWNED_BY(free)
        char *list = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
        ALLOCATED(list, "a table");
        csv_print(file, "%s", list);
    }
    return status_ok();
}

/* A table written in two passes, so that only one row is in memory: the first pass finds the columns, the
 * second writes the rows. */
typedef struct CsvRows {
    CsvFile *file;
    json_t *columns; /* an object with a member for each column */
    bool written;    /* whether the line of column names has been written, so that rows can follow */
} CsvRows;

/* Writes a line with a cell for each column: its name or, if `flat` is not NULL, the member of that name. */
static Status line_write(const CsvRows *rows, const json_t *flat)
{
    const char *place = NULL;
    json_t *value = NULL;
    bool first = true;
    json_object_foreach(rows->columns, place, value)
    {
        if (!first)
            csv_print(rows->file, ",");
        first = false;
        if (flat)
            STATUS_TRY(cell_write(json_object_get(flat, place), rows->file));
        else
            csv_print(rows->file, "%s", place);
    }
    if (!first)
        csv_print(rows->file, "\n");
    return status_ok();
}

/* Adds an object as a row and takes ownership of it. */
static Status row_add(CsvRows *rows, json_t *object)
{
    json_auto_t *owned = object, *flat = json_object();
    if (!owned || !flat || !flatten(owned, "", flat) ||
        (!rows->written && json_object_update_missing(rows->columns, flat) != 0))
        return status_out_of_memory("a table");
    return rows->written ? line_write(rows, flat) : status_ok();
}

Status records_csv_write(const RecordView *records, CellKind kind, FILE *file)
{
    json_auto_t *columns = json_object();
    CsvRows rows = {csv_file(file), columns, false};
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
        if (pass == 0)
            STATUS_TRY(line_write(&rows, NULL));
        rows.written = true;
    }
    return status_ok();
}
